import {
  requireStateFolder,
  findStateFolder,
  locateImports,
  locateSessions,
} from "#state/storage/folders.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { MeterRecord, ImportedRecord } from "#records/record.ts";
import type { ViewTraffic } from "#records/summary.ts";
import { dayMs } from "#history/reports/calendar.ts";
import type { TimeRange } from "#history/reports/time-range.ts";
import type { AdviceFold, ImportedUsage } from "#history/reports/advice/advice-fold.ts";
import { Cube, type CubeOmissions, type UsageFact } from "#history/reports/usage-cube.ts";
import type { ConversationTotals } from "#history/reports/imported/logged-totals.ts";
import { addImportedFacts } from "#history/reports/imported/imported-facts.ts";
import { KnownDefinitions, ImportedHistory } from "#history/reports/imported/imported-history.ts";
import {
  type RemovedUsage,
  makeRemovedUsage,
  type TotalsPlan,
} from "#history/reports/removed-usage.ts";
import type { Axis } from "#history/reports/usage-report.ts";
import { readTotals, type SavedTotals, readTotalsStamp } from "#state/storage/prune/totals-file.ts";
import {
  findRecordSources,
  findRecordSourcesBelow,
  recordFilesMax,
  type RecordSources,
} from "#state/storage/find-record-files.ts";
import type { Tell } from "#kit/text/teller.ts";
import { describeSkips, reportSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";
import { WireMatches } from "#history/reports/imported/wire-matches.ts";
import { isUnfinished } from "#state/storage/logs/write-imports.ts";
import {
  readRecords,
  type SkippedLines,
  type TakeImported,
  type TakeRecord,
} from "#state/storage/read-records.ts";

const totalsReadsMax = 3;

type UsagePlan = TotalsPlan & {
  readonly prices?: PriceBook | undefined;
  readonly showsAdvice?: boolean;
  readonly by?: readonly Axis[] | undefined;
};

type ReadUsage = FoundUsage & { readonly daysLeftOut: number };

type FoundUsage = {
  readonly facts: readonly UsageFact[];
  readonly conversations?: ConversationTotals | undefined;
  readonly view: ReadonlyMap<string, ViewTraffic>;
  readonly adviceFold?: AdviceFold | undefined;
};

type MachineSources = { readonly sessions: RecordSources; readonly imports: RecordSources };

export type RecordReading = {
  readonly tell: Tell;
  readonly limit?: (found: MachineSources) => MachineSources;
  readonly afterFile?: () => Promise<void>;
};

export async function readUsage(
  files: readonly string[],
  plan: UsagePlan,
  io: Pick<Io, "env">,
  reading: RecordReading,
): Promise<ReadUsage> {
  if (files.length > 0) {
    return { ...(await readFacts(await findRecordSources(files), plan, reading)), daysLeftOut: 0 };
  }
  const folder = requireStateFolder(io.env);
  for (let reads = 1; ; reads += 1) {
    const sentences: string[] = [];
    const stamp = readTotalsStamp(folder);
    const bufferedReading = {
      ...reading,
      tell: (sentence: string) => void sentences.push(sentence),
    };
    const usage = await readMachineUsage(folder, plan, bufferedReading);
    // Meanwhile `prune` may have moved records from their files to the totals.
    const isUnchanged = stamp === readTotalsStamp(folder);
    if (!isUnchanged && reads < totalsReadsMax) continue;
    for (const sentence of sentences) reading.tell(sentence);
    if (!isUnchanged) reading.tell(reportSentences.removedMeanwhile());
    return usage;
  }
}

async function readMachineUsage(
  folder: string,
  plan: UsagePlan,
  reading: RecordReading,
): Promise<ReadUsage> {
  const { tell, limit = (found) => found } = reading;
  const savedTotals = tryReadTotals(folder, tell);
  const removedUsage = sumRemovedUsage(savedTotals, plan);
  const sinceMs = findFirstMs(plan);
  const { sessions, imports } = limit({
    sessions: findRemainingSources(folder, sinceMs, savedTotals),
    imports: findMachineImports(folder, sinceMs),
  });
  if (isUnfinished(locateImports(folder))) tell(commandSentences.importUnfinished());
  const { facts, ...found } = await readFacts(sessions, plan, reading, imports);
  const { daysLeftOut } = removedUsage;
  return { ...found, facts: [...facts, ...removedUsage.facts], daysLeftOut };
}

export async function findSources(
  files: readonly string[],
  plan: Omit<TotalsPlan, "needsRecords">,
  { env }: Pick<Io, "env">,
  tell: Tell,
): Promise<RecordSources> {
  if (files.length > 0) return findRecordSources(files);
  const folder = requireStateFolder(env);
  const savedTotals = tryReadTotals(folder, tell);
  const { daysLeftOut } = sumRemovedUsage(savedTotals, { ...plan, needsRecords: true });
  if (daysLeftOut > 0) tell(reportSentences.totalsLeftOut(daysLeftOut));
  return findMachineSources(folder, findFirstMs(plan));
}

function findFirstMs({ ranges }: Pick<TotalsPlan, "ranges">): number {
  return Math.min(...ranges.map(({ fromMs }) => fromMs));
}

export function listFactsOfRemovedRecords(
  folder: string,
  plan: TotalsPlan,
  tell: Tell,
): RemovedUsage["facts"] {
  return sumRemovedUsage(tryReadTotals(folder, tell), plan).facts;
}

function sumRemovedUsage(saved: SavedTotals | undefined, plan: TotalsPlan): RemovedUsage {
  return saved ? makeRemovedUsage(saved, plan) : { facts: [], daysLeftOut: 0 };
}

function tryReadTotals(folder: string, tell: Tell): SavedTotals | undefined {
  try {
    return readTotals(folder);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    tell(error.message);
    return undefined;
  }
}

// Also finds files last changed up to a day before `sinceMs`, because the clock may have been changed.
export function findMachineSources(folder: string, sinceMs: number): RecordSources {
  return findRecordSourcesBelow(locateSessions(folder), sinceMs - dayMs);
}

// Leaves out the files that the totals already include.
export function findRemainingSources(
  folder: string,
  sinceMs: number,
  savedTotals = tryReadTotals(folder, ignore),
): RecordSources {
  const filesBeingRemoved = new Set(savedTotals?.removing.map((name) => `${folder}/${name}`));
  const { sources, leftOut } = findMachineSources(folder, sinceMs);
  return { sources: sources.filter(({ file }) => !filesBeingRemoved.has(file)), leftOut };
}

async function readFacts(
  sources: RecordSources,
  plan: UsagePlan,
  { tell, afterFile }: RecordReading,
  imports: RecordSources = noSources,
): Promise<FoundUsage> {
  const { ranges, zone, by = [] } = plan;
  const [range] = ranges;
  const cube = new Cube({ ranges, zone, by, keepsLists: ranges.length > 1 });
  const advising = plan.showsAdvice && range ? await openAdviceFold(range) : undefined;
  const take = (record: MeterRecord): boolean => {
    advising?.take(record);
    return cube.add(record);
  };
  const importedUsage = await readWithImports(sources, { take, tell, imports, afterFile });
  const adviceFold = advising?.finish(importedUsage);
  tellOmissions(cube.omissions, tell);
  const facts = cube.makeFacts();
  const { view } = cube;
  if (importedUsage.history.isEmpty) return { facts, view, adviceFold };
  const known = new KnownDefinitions(cube.listDefinitions());
  return { ...addImportedFacts(facts, { ...importedUsage, known }, plan), view, adviceFold };
}

async function openAdviceFold(range: TimeRange) {
  const { addHistory, createAdviceFold } = await import("#history/reports/advice/advice-fold.ts");
  const { fold, take } = createAdviceFold(range);
  const finish = (imported: ImportedUsage): AdviceFold => {
    addHistory(fold, imported, range);
    return fold;
  };
  return { take, finish };
}

/** Undefined if files are named: they may come from a machine with other settings. */
export async function findLimits(files: readonly string[], io: Pick<Io, "env" | "platform">) {
  if (files.length > 0) return undefined;
  const { findConfiguredLimits } = await import("../wrap/configured-limits.ts");
  return findConfiguredLimits(io);
}

function tellOmissions({ records, uncomparedCalls, lists }: CubeOmissions, tell: Tell): void {
  if (records > 0) tell(commandSentences.recordsLeftOut(records));
  if (uncomparedCalls > 0) tell(reportSentences.repeatsLeftOut(uncomparedCalls));
  if (lists > 0) tell(reportSentences.listsLeftOut(lists));
}

type ImportReading = {
  readonly take: TakeRecord;
  readonly tell: Tell;
  readonly imports: RecordSources;
  readonly afterFile?: (() => Promise<void>) | undefined;
};

// If imported records are in `sources` and none are in `imports`, reads `sources` again to match the calls: a call can
// be matched only after all imported records are known.
export async function readWithImports(
  sources: RecordSources,
  { take, tell, imports, afterFile }: ImportReading,
): Promise<ImportedUsage> {
  const history = new ImportedHistory();
  const takeImported = (record: ImportedRecord): boolean => history.add(record);
  await readSources(imports, ignore, tell, { afterFile, takeImported });
  let matches = new WireMatches(history);
  const isHistoryKnown = !history.isEmpty;
  const offerAndTake = (record: MeterRecord): unknown => {
    if (isHistoryKnown) offer(matches, record);
    return take(record);
  };
  await readSources(sources, offerAndTake, tell, { afterFile, takeImported });
  if (!isHistoryKnown && !history.isEmpty) {
    matches = new WireMatches(history);
    const files = { sources: sources.sources.filter(({ file }) => file !== "-"), leftOut: 0 };
    await readSources(files, (record) => offer(matches, record), ignore, { afterFile });
  }
  if (history.leftOut > 0) tell(commandSentences.recordsLeftOut(history.leftOut));
  return { history, matchedCalls: matches.findPairs() };
}

export const skippedFilesNamedMax = 10;

type ReadExtras = {
  readonly afterFile?: (() => Promise<void>) | undefined;
  readonly takeImported?: TakeImported | undefined;
};

export async function readSources(
  { sources, leftOut }: RecordSources,
  take: TakeRecord,
  tell: Tell,
  { afterFile, takeImported }: ReadExtras = {},
): Promise<number> {
  const skips: FileSkips[] = [];
  let records = 0;
  for (const { file, isNamed } of sources) {
    try {
      const read = await readRecords(file, take, takeImported);
      records += read.records;
      const { incomplete, newer, foreign } = read.skipped;
      const lines = incomplete + newer + foreign;
      if (lines > 0) skips.push({ file, lines, ...read.skipped });
    } catch (error) {
      if (isNamed || !(error instanceof UserError)) throw error;
      tell(error.message);
    }
    await afterFile?.();
  }
  tellSkips(skips, tell);
  if (leftOut > 0) tell(reportSentences.recordFilesLeftOut(leftOut, recordFilesMax));
  return records;
}

type FileSkips = SkippedLines & { readonly file: string; readonly lines: number };

function tellSkips(skips: readonly FileSkips[], tell: Tell): void {
  for (const { file, lines, incomplete, newer, foreign } of skips.slice(0, skippedFilesNamedMax)) {
    tell(reportSentences.linesSkipped(file, lines, describeSkips(incomplete, newer, foreign)));
  }
  const others = skips.slice(skippedFilesNamedMax);
  const lines = others.reduce((sum, skip) => sum + skip.lines, 0);
  if (lines > 0) tell(reportSentences.moreLinesSkipped(lines, others.length));
}

const noSources: RecordSources = { sources: [], leftOut: 0 };

export function findImports(
  files: readonly string[],
  { env }: Pick<Io, "env">,
  sinceMs: number,
): RecordSources {
  const folder = files.length > 0 ? undefined : findStateFolder(env);
  return folder === undefined ? noSources : findMachineImports(folder, sinceMs);
}

export function findMachineImports(folder: string, sinceMs: number): RecordSources {
  return findRecordSourcesBelow(locateImports(folder), sinceMs);
}

const ignore = (): void => undefined;

function offer(matches: WireMatches, record: MeterRecord): void {
  if (record.type === "call") matches.offer(record);
  else if (record.type === "session") matches.offerSession(record);
}
