import { randomUUID } from "node:crypto";
import type { CheckReport } from "#check/report.ts";
import type { Io } from "#io.ts";
import { mayColor } from "#os/output.ts";
import { appendStepSummary, isOnGithub } from "#os/step-summary.ts";
import { renderCheck, type CheckPrintOptions } from "#renderers/check.ts";
import { checkDocument } from "#renderers/documents/check.ts";
import { renderMarkdown } from "#renderers/markdown.ts";
import { fitStepSummary } from "#renderers/step-summary.ts";
import { writeReportFile } from "#storage/report-file.ts";
import { Teller } from "#text/teller.ts";
import type { ReportTarget } from "./report-targets.ts";

/** The reports to make, and the start of the check. */
export type PrintOptions = {
  readonly reports: readonly ReportTarget[];
  readonly startedAt: Date;
};

/**
 * Writes every report of a check to its file and prints one: the one without a file, else `github` on GitHub
 * Actions and `table` elsewhere. Appends to the summary of a step on GitHub Actions. Throws UserError when a file
 * cannot be written.
 */
export function printReport(
  report: CheckReport,
  { reports, startedAt }: PrintOptions,
  io: Io,
): void {
  const timestamp = startedAt.toISOString().slice(0, 19);
  const options: CheckPrintOptions = { color: false, timestamp, token: randomUUID() };
  const printed = reports.find(({ file }) => file === undefined)?.format;
  const format = printed ?? (isOnGithub(io.env) ? "github" : "table");
  const color = mayColor(io.stdout, io.env);
  io.stdout.write(renderCheck(format, report, { ...options, color }));
  const summaryWithin = (takenBytes: number): string =>
    fitStepSummary(renderMarkdown(checkDocument(report)), takenBytes);
  appendStepSummary(io.env, summaryWithin, new Teller(io.stderr).tell);
  for (const { format: other, file } of reports) {
    if (file !== undefined) writeReportFile(file, renderCheck(other, report, options));
  }
}
