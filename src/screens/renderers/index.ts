import type { Summary } from "#records/summary.ts";
import { buildSummaryDocument } from "./documents/summary-table.ts";
import { type Document, renderJson } from "./document.ts";
import type { DocumentFormat } from "./formats.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

export type Printout = { readonly document: Document; readonly data: unknown };

const renderers: {
  readonly [format in DocumentFormat]: (printout: Printout, options: TerminalOptions) => string;
} = {
  table: ({ document }, options) => renderTerminal(document, options),
  markdown: ({ document }) => renderMarkdown(document),
  json: ({ data }) => renderJson(data),
};

export function render(
  format: DocumentFormat,
  printout: Printout,
  options: TerminalOptions,
): string {
  return renderers[format](printout, options);
}

export function renderSummary(
  format: DocumentFormat,
  summary: Summary,
  options: TerminalOptions,
): string {
  return render(format, { document: buildSummaryDocument(summary), data: summary }, options);
}

export function renderSummaries(
  format: DocumentFormat,
  summaries: readonly Summary[],
  options: TerminalOptions,
): string {
  const [only] = summaries;
  if (only && summaries.length === 1) return renderSummary(format, only, options);
  if (format === "json") return renderJson({ summaries });
  return summaries
    .map((summary) => ({ document: buildSummaryDocument(summary, true), data: summary }))
    .map((printout) => render(format, printout, options))
    .join("\n");
}
