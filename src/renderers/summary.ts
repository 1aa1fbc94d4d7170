import type { Summary } from "#records/summary.ts";
import type { DocumentFormat } from "./formats.ts";
import { render } from "./index.ts";
import { summaryDocument } from "./documents/summary.ts";
import type { TerminalOptions } from "./terminal.ts";

/** The summary in that format. */
export function renderSummary(
  format: DocumentFormat,
  summary: Summary,
  options: TerminalOptions,
): string {
  return render(format, { document: summaryDocument(summary), data: summary }, options);
}
