import { exitCodes, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { Ledgers } from "#records/ledger.ts";
import type { MeterRecord } from "#records/record.ts";
import { SeenRecords } from "#history/reports/record-filter.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { renderSummaries } from "#screens/renderers/index.ts";
import { sha256 } from "#kit/os/hash.ts";
import { findRecordSources } from "#state/storage/find-record-files.ts";
import { locateSessions, requireStateFolder } from "#state/storage/folders.ts";
import { findMarkedFiles } from "#state/storage/live/session-files.ts";
import { Teller } from "#kit/text/teller.ts";
import { measurePage, printOutput } from "../output/output-options.ts";
import { openPrices, readNamedPrices } from "../price-options.ts";
import type { ReportOptions } from "./options.ts";
import { readSources } from "./read-usage.ts";
import type { ReportContext } from "./usage.ts";
import { reportSentences } from "./sentences.ts";

export async function report(
  requested: ReportOptions,
  io: Io,
  nowMs: number = Date.now(),
): Promise<Ending> {
  const options = { ...requested, files: listRecordFiles(requested, io.env) };
  const notes: string[] = [];
  const context = { nowMs, tell: (sentence: string) => void notes.push(sentence) };
  try {
    const text = await renderReport(options, io, context);
    await printOutput(() => text, options, io);
  } finally {
    notes.forEach(new Teller(io.stderr).tell);
  }
  return { code: exitCodes.ok };
}

function listRecordFiles({ files, session }: ReportOptions, env: Io["env"]): readonly string[] {
  if (session === undefined) return files;
  const sessions = locateSessions(requireStateFolder(env));
  const { paths } = findMarkedFiles(sessions, { session: sha256(session) });
  if (paths.length === 0) throw new UserError(reportSentences.sessionUnknown(session));
  return [...files, ...paths];
}

async function renderReport(
  options: ReportOptions,
  io: Io,
  context: ReportContext,
): Promise<string> {
  const { format, usage, analysis } = options;
  if (format === "csv") return renderUsage(options, io, context);
  if (analysis) {
    const { renderAnalysis } = await import("./analysis.ts");
    return renderAnalysis(format, analysis, { options, io, ...context });
  }
  return usage ? renderUsage(options, io, context) : renderSummary(format, options, io, context);
}

async function renderUsage(options: ReportOptions, io: Io, context: ReportContext) {
  const { renderUsageReport } = await import("./usage.ts");
  return renderUsageReport(options, io, context);
}

function canReadAgain(file: string): boolean {
  return file !== "-" && !/^\/(?:dev\/(?:fd|stdin)|proc)\b/.test(file);
}

async function renderSummary(
  format: DocumentFormat,
  options: ReportOptions,
  io: Io,
  context: ReportContext,
): Promise<string> {
  const { tell } = context;
  const { files, timezone } = options;
  // A summary uses no time zone, so this call only rejects an unknown one.
  if (timezone !== undefined) (await import("./usage.ts")).openTimeZone(timezone);
  const ledgers = new Ledgers(await openPrices(options, await readNamedPrices(options)));
  const recordSources = await findRecordSources(files);
  let importedCount = 0;
  const takeImported = (): void => void (importedCount += 1);
  const seen = new SeenRecords();
  const take = (record: MeterRecord): void => {
    if (seen.isNew(record)) ledgers.add(record);
  };
  const records = await readSources(recordSources, take, tell, { takeImported });
  // A summary leaves out imported records. If there are no others, a usage report is made instead. It reads the files
  // again, so it cannot be made from a pipe.
  if (importedCount > 0 && importedCount === records) {
    if (!files.every(canReadAgain)) throw new UserError(reportSentences.onlyImported());
    return renderUsage(options, io, context);
  }
  if (importedCount > 0) tell(reportSentences.importedLeftOut(importedCount));
  if (ledgers.leftOut > 0) tell(reportSentences.estimatorsLeftOut(ledgers.leftOut));
  if (records - importedCount === 0)
    throw new UserError(reportSentences.noRecords(recordSources.sources.length));
  return renderSummaries(
    format,
    ledgers.summarize(),
    await measurePage(options, io.stdout, io.env),
  );
}
