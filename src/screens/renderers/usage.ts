import type { UsageReport } from "#history/reports/usage-report.ts";
import { emptyUsageDocument, usageDocument } from "./documents/usage.ts";
import type { ReportFormat } from "./formats.ts";
import { render } from "./index.ts";
import { renderJson } from "./json.ts";
import type { TerminalOptions } from "./terminal.ts";
import { renderUsageCsv } from "./usage-csv.ts";

export type UsagePage = TerminalOptions & {
  readonly isWide: boolean;
  readonly isTerminal: boolean;
};

export function renderUsage(format: ReportFormat, report: UsageReport, page: UsagePage): string {
  if (format === "json") return renderJson(report);
  if (format === "csv") return renderUsageCsv(report);
  const { blocks } = report;
  const documents =
    blocks.length === 0
      ? [emptyUsageDocument(report)]
      : blocks.map((block) => usageDocument(report, block, page));
  return documents.map((document) => render(format, { document, data: report }, page)).join("\n");
}
