import type { Summary } from "#records/summary.ts";
import type { DocumentFormat } from "./formats.ts";
import { render } from "./index.ts";
import { summaryDocument } from "./documents/summary.ts";
import { renderJson } from "./json.ts";
import type { TerminalOptions } from "./terminal.ts";

export function renderSummary(
  format: DocumentFormat,
  summary: Summary,
  options: TerminalOptions,
): string {
  return render(format, { document: summaryDocument(summary), data: summary }, options);
}

/** As JSON, one summary is an object as a session prints it; several are the list `summaries` of one object. */
export function renderSummaries(
  format: DocumentFormat,
  summaries: readonly Summary[],
  options: TerminalOptions,
): string {
  const [only] = summaries;
  if (only && summaries.length === 1) return renderSummary(format, only, options);
  if (format === "json") return renderJson({ summaries });
  return summaries
    .map((summary) => ({ document: summaryDocument(summary, true), data: summary }))
    .map((printout) => render(format, printout, options))
    .join("\n");
}
