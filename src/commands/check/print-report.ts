import { randomUUID } from "node:crypto";
import type { CheckReport } from "#check/report.ts";
import type { Io } from "#io.ts";
import { mayColor } from "#os/output.ts";
import { appendStepSummary, isOnGithub } from "#os/step-summary.ts";
import { renderCheck } from "#renderers/check.ts";
import { checkDocument } from "#renderers/documents/check.ts";
import type { CheckFormat } from "#renderers/formats.ts";
import { renderMarkdown } from "#renderers/markdown.ts";
import { fitStepSummary } from "#renderers/step-summary.ts";
import { Teller } from "#text/teller.ts";

/** The format of a printed report, and the start of the check. */
export type PrintOptions = {
  /** Undefined for `github` on GitHub Actions and `table` elsewhere. */
  readonly format: CheckFormat | undefined;
  readonly startedAt: Date;
};

/** Prints the report of a check, and appends it to the summary of a step on GitHub Actions. */
export function printReport(report: CheckReport, options: PrintOptions, io: Io): void {
  const format = options.format ?? (isOnGithub(io.env) ? "github" : "table");
  const color = mayColor(io.stdout, io.env);
  const timestamp = options.startedAt.toISOString().slice(0, 19);
  io.stdout.write(renderCheck(format, report, { color, timestamp, token: randomUUID() }));
  const summaryWithin = (takenBytes: number): string =>
    fitStepSummary(renderMarkdown(checkDocument(report)), takenBytes);
  appendStepSummary(io.env, summaryWithin, new Teller(io.stderr).tell);
}
