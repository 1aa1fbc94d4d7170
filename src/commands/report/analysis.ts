import { defaultDays, type Analysis, type ReportOptions } from "./options.ts";
import { describePeriod } from "#history/reports/time-range.ts";
import type { Io } from "#kit/io.ts";
import { formatPeriod } from "#screens/renderers/documents/shared-texts.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { renderAdvice } from "#screens/renderers/reports/advice.ts";
import {
  renderReplay,
  type ReplayReport,
  renderSequences,
  type SequencesReport,
} from "#screens/renderers/reports/replay.ts";
import {
  addHistory,
  type AdviceFold,
  createAdviceFold,
} from "#history/reports/advice/advice-fold.ts";
import {
  type RecordChoice,
  RecordFilter,
  filterRecords,
  type TakeTimed as Take,
} from "#history/reports/record-filter.ts";
import { BudgetReplay } from "#history/reports/replay/budget-replay.ts";
import { CallSequences } from "#history/reports/replay/call-sequences.ts";
import { OrderedCalls, type ReplayedCall } from "#history/reports/replay/ordered-calls.ts";
import { convertImport } from "#history/reports/advice/tool-usage.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import type { Tell } from "#kit/text/teller.ts";
import { measurePage } from "../output/output-options.ts";
import { findImports, findLimits, findSources, readWithImports } from "./read-usage.ts";
import {
  explainMissingRecords,
  openTimeZone,
  type ReportContext,
  resolveRange,
  type ReportedPeriod,
} from "./usage.ts";
import { commandSentences } from "../sentences.ts";

type AnalysisContext = ReportContext & { readonly options: ReportOptions; readonly io: Io };

// `takeOther` gets the records outside the time range or the filters.
type Read = (take: Take, takeOther?: Take) => ReturnType<typeof readWithImports>;

export async function renderAnalysis(
  format: DocumentFormat,
  report: Analysis,
  { options, io, nowMs, tell }: AnalysisContext,
): Promise<string> {
  const { files, timezone } = options;
  const zone = openTimeZone(timezone);
  const range = resolveRange(report.range, files.length > 0 ? undefined : defaultDays, zone, nowMs);
  const period = formatPeriod({ ...describePeriod(range, zone), timezone: zone.name });
  const page = await measurePage(options, io.stdout, io.env);
  if (report.kind === "advice") {
    const fold = await readAdvice(files, { range, zone, nowMs }, io, tell);
    const advice = fold.advise(report.filters, await findLimits(files, io));
    return renderAdvice(format, { period, ...advice }, page);
  }
  const sources = await findSources(files, { ranges: [range], zone, nowMs }, io, tell);
  const imports = findImports(files, io, range.fromMs);
  const choice = { range, filters: report.filters };
  const common = { schema_version: "1.0", period } as const;
  const read: Read = (take, takeOther) =>
    readWithImports(sources, { take: filterRecords(choice, take, takeOther), tell, imports });
  if (report.kind === "sequences") {
    const sequences = await findSequences(report, read, choice, tell);
    return renderSequences(format, { ...common, ...sequences }, page);
  }
  const replay = await replayBudgets(report, read, choice, tell);
  return renderReplay(format, { ...common, ...replay }, page);
}

export async function readAdvice(
  files: readonly string[],
  { range, zone, nowMs }: ReportedPeriod,
  io: Pick<Io, "env">,
  tell: Tell,
): Promise<AdviceFold> {
  const { fold, take } = createAdviceFold(range);
  const sources = await findSources(files, { ranges: [range], zone, nowMs }, io, tell);
  const imports = findImports(files, io, range.fromMs);
  addHistory(fold, await readWithImports(sources, { take, tell, imports }), range);
  const folder = files.length === 0 ? findStateFolder(io.env) : undefined;
  const isEmpty = sources.sources.length + imports.sources.length === 0;
  if (isEmpty && folder !== undefined) tell(explainMissingRecords(folder, { range, zone, nowMs }));
  if (fold.leftOut > 0) tell(commandSentences.recordsLeftOut(fold.leftOut));
  return fold;
}

type AnalysisWith<Kind extends Analysis["kind"]> = Extract<Analysis, { readonly kind: Kind }>;

async function replayBudgets(
  { budgets, filters }: AnalysisWith<"what-if">,
  read: Read,
  choice: RecordChoice,
  tell: Tell,
): Promise<Pick<ReplayReport, "budgets" | "hasCalls">> {
  const calls = new OrderedCalls();
  const replay = new BudgetReplay(budgets, calls);
  await readCalls(read, choice, { calls, add: (call, ms) => replay.add(call, ms), tell });
  return { budgets: replay.computeResults(filters.clients), hasCalls: replay.hasCalls };
}

const sequencesShownMax = 10;

async function findSequences(
  { filters, top = sequencesShownMax }: AnalysisWith<"sequences">,
  read: Read,
  choice: RecordChoice,
  tell: Tell,
): Promise<Pick<SequencesReport, "sequences" | "more">> {
  const calls = new OrderedCalls();
  const fold = new CallSequences(calls);
  await readCalls(read, choice, { calls, add: (call, ms) => fold.add(call, ms), tell });
  const sequences = fold.computeResults(filters.clients);
  return { sequences: sequences.slice(0, top), more: Math.max(0, sequences.length - top) };
}

type CallReading = {
  readonly calls: OrderedCalls;
  readonly add: (call: ReplayedCall, ms: number) => void;
  readonly tell: Tell;
};

async function readCalls(read: Read, choice: RecordChoice, { calls, add, tell }: CallReading) {
  const takeSession: Take = ({ record }) => {
    if (record.type !== "session") return;
    calls.addSession({ ...record, conversation: record.client_session_id_sha256 });
  };
  const { history, matchedCalls } = await read((timed) => {
    if (timed.record.type === "call") add(timed.record, timed.ms);
    else takeSession(timed);
  }, takeSession);
  const filter = new RecordFilter(choice);
  for (const { record, calls: logged } of history.conversations.values()) {
    for (const call of logged.values()) {
      const ms = filter.readTime(call);
      if (matchedCalls.has(call) || !filter.isWantedCall(call, ms)) continue;
      const conversation = record?.client_session_id_sha256 ?? call.conversation_id;
      calls.addSession({ ...call, client_name: call.client, conversation });
      add(convertImport(call), ms);
    }
  }
  if (calls.leftOut > 0) tell(commandSentences.recordsLeftOut(calls.leftOut));
}
