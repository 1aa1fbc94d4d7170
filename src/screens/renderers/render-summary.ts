import type { Summary } from "#records/summary.ts";
import { renderJson } from "./document.ts";
import { buildSummaryDocument } from "./documents/summary-table.ts";
import type { DocumentFormat } from "./formats.ts";
import { render } from "./index.ts";
import type { TerminalOptions } from "./terminal.ts";

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
