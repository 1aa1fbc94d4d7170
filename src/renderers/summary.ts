import type { Summary } from "#records/summary.ts";
import type { DocumentFormat } from "./formats.ts";
import { render } from "./index.ts";
import { summaryDocument } from "./documents/summary.ts";
import type { TerminalOptions } from "./terminal.ts";

/** The summary in that format. As a table it begins with an empty line, below the server's last output. */
export function renderSummary(
  format: DocumentFormat,
  summary: Summary,
  options: TerminalOptions,
): string {
  const text = render(format, { document: summaryDocument(summary), data: summary }, options);
  return format === "table" ? `\n${text}` : text;
}
