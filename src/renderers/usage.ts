import type { UsageReport } from "#reports/usage-report.ts";
import { emptyUsageDocument, usageDocument } from "./documents/usage.ts";
import { fitDocument } from "./fit-document.ts";
import type { ReportFormat } from "./formats.ts";
import { render } from "./index.ts";
import { renderJson } from "./json.ts";
import { renderUsageCsv } from "./usage-csv.ts";

/** The page that a report over time is printed on. */
export type UsagePage = {
  readonly color: boolean;
  /** Of the terminal that a table must fit; undefined where nothing is shortened. */
  readonly columns: number | undefined;
  /** True when columns without a number are printed, too. */
  readonly isWide: boolean;
  readonly isTerminal: boolean;
};

/** A report over time in that format. Ends with a newline. */
export function renderUsage(format: ReportFormat, report: UsageReport, page: UsagePage): string {
  if (format === "json") return renderJson(report);
  if (format === "csv") return renderUsageCsv(report);
  const { blocks } = report;
  const documents =
    blocks.length === 0
      ? [emptyUsageDocument(report)]
      : blocks.map((block) => usageDocument(report, block, page));
  return documents
    .map((document) => {
      const fitted = format === "table" ? fitDocument(document, page.columns) : document;
      return render(format, { document: fitted, data: report }, page);
    })
    .join("\n");
}
