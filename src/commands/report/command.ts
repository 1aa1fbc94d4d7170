import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { Ledgers } from "#records/ledgers.ts";
import type { DocumentFormat } from "#renderers/formats.ts";
import { renderSummaries } from "#renderers/summary.ts";
import { mayColor } from "#os/output.ts";
import { recordSources } from "#storage/record-files.ts";
import { writeReportFile } from "#storage/report-file.ts";
import { Teller } from "#text/teller.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import type { ReportOptions } from "./options.ts";
import { readSources } from "./read-sources.ts";
import { usageReport } from "./usage.ts";

/** Prints the summary of record files, or a report over time of them or of all records of this machine. */
export async function report(
  options: ReportOptions,
  io: Io,
  nowMs: number = Date.now(),
): Promise<Ending> {
  const { output } = options;
  const text = await textOf(options, io, nowMs);
  if (output === undefined) io.stdout.write(text);
  else writeReportFile(output, text);
  return { code: exitCodes.ok };
}

async function textOf(options: ReportOptions, io: Io, nowMs: number): Promise<string> {
  const { format, usage, other } = options;
  if (format === "csv") return usageReport(options, io, nowMs);
  if (other) {
    const { otherReportText } = await import("./other-report.ts");
    return otherReportText(format, other, { options, io, nowMs });
  }
  return usage ? usageReport(options, io, nowMs) : summaryOf(format, options, io);
}

/**
 * Folds record files into one summary for each estimator. For one file it is the summary that its session printed at
 * exit.
 */
async function summaryOf(format: DocumentFormat, options: ReportOptions, io: Io): Promise<string> {
  const { files, output } = options;
  const ledgers = new Ledgers(await openPrices(options, await readNamedPrices(options)));
  const { tell } = new Teller(io.stderr);
  const found = await recordSources(files);
  const records = await readSources(found, (record) => ledgers.add(record), tell);
  if (ledgers.leftOut > 0) tell(sentences.estimatorsLeftOut(ledgers.leftOut));
  if (records === 0) throw new UserError(sentences.noRecords(found.sources.length));
  const color = output === undefined && mayColor(io.stdout, io.env);
  return renderSummaries(format, ledgers.summarize(), { color });
}
