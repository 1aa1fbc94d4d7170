import type {
  CallRecord,
  DefinitionsRecord,
  ImportedCallRecord,
  MeterRecord,
  AlertRecord,
  EndRecord,
  SessionRecord,
} from "#records/record.ts";
import {
  addHistory,
  AdviceFold,
  type ImportedUsage,
  type SummedAdvice,
} from "#history/reports/advice/advice-fold.ts";
import type { ConfiguredLimits } from "#history/reports/advice/session-usage.ts";
import { Cube, type UsageFact } from "#history/reports/usage-cube.ts";
import { InstantReader, type DayNumber, type TimeZone } from "#history/reports/calendar.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { describeTool } from "#history/reports/report-rows.ts";
import { SeenRoom, SeenNumbers } from "#history/reports/record-filter.ts";
import { periodDays, type ViewPeriod, periods } from "../view.ts";
import { CallTable } from "./call-table.ts";
import { readEstimation, type SummaryEstimation } from "#records/summary.ts";
import { SessionContext } from "#records/definition-summary.ts";
import { reportSessionsMax } from "#records/ledger.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";

// Marks are the alerts that the page of a session shows.
const dashAllMarksMax = 50_000;

const dashListsMax = 200;

// Adds the usage that is known only from clients' logs, or from the totals of records that were removed.
export type CompleteFacts = (
  metered: Pick<Cube, "makeFacts" | "listDefinitions">,
  period: { readonly fromMs: number; readonly needsPrices: boolean },
) => readonly UsageFact[];

type Period = { readonly cube: Cube; readonly advice: AdviceFold };

export type ModelDays = {
  readonly zone: TimeZone;
  readonly fromMs: number;
  readonly nowMs: number;
};

/** A session with calls that are known only from its client's log. */
export type LoggedSession = {
  readonly client: string | null;
  readonly server: string;
  readonly model: string | null;
  readonly estimation: SummaryEstimation;
  beganMs: number;
  newestMs: number;
  /** The tokens of calls only, because logs lack definitions. */
  tokens: number;
};

export type NewestList = {
  readonly record: DefinitionsRecord;
  readonly ms: number;
  readonly estimator: string;
};

// Files may be read in any order, and records more than once. Periods count days back from `today`.
export class DashModel {
  readonly zone: TimeZone;
  readonly fromMs: number;
  readonly today: DayNumber;
  readonly calls = new CallTable();
  readonly sessions = new Map<string, SessionEntry>();
  readonly loggedSessions = new Map<string, LoggedSession>();
  // By start in milliseconds. Each AdviceFold looks for repeated calls within one period only.
  readonly #periods = new Map<number, Period>();
  readonly #instants = new InstantReader();
  readonly #seenRoom = new SeenRoom();
  // By server and estimator.
  readonly #lists = new Map<string, NewestList>();
  // By server.
  readonly #newestLists = new Map<string, NewestList>();
  #completeFacts: CompleteFacts = (metered) => metered.makeFacts();
  readonly #facts = new Map<string, readonly UsageFact[]>();
  #version = 0;
  #markCount = 0;

  constructor({ zone, fromMs, nowMs }: ModelDays) {
    this.zone = zone;
    this.fromMs = fromMs;
    this.today = zone.findDay(nowMs);
    for (const period of periods) {
      const beginMs = this.computeStartMs(period);
      const ranges = [{ fromMs: beginMs, toMs: Infinity }];
      this.#periods.set(beginMs, { cube: new Cube({ ranges, zone }), advice: new AdviceFold() });
    }
  }

  computeStartMs(period: ViewPeriod): number {
    const first = this.today - periodDays[period] + 1;
    return first === -Infinity ? this.fromMs : Math.max(this.fromMs, this.zone.findDayStart(first));
  }

  get version(): number {
    return this.#version;
  }

  get leftOut(): number {
    return this.#periods.get(this.fromMs)?.cube.omissions.records ?? 0;
  }

  addHistory(imported: ImportedUsage): void {
    for (const [fromMs, { advice }] of this.#periods) {
      addHistory(advice, imported, { fromMs, toMs: Infinity });
    }
    for (const call of imported.history.listCalls()) {
      if (!imported.matchedCalls.has(call)) this.#addLoggedCall(call);
    }
  }

  completeWith(complete: CompleteFacts): void {
    this.#completeFacts = complete;
    this.#invalidate();
  }

  add(record: MeterRecord): boolean {
    const ms = this.#instants.read(record.ts);
    if (Number.isNaN(ms)) return false;
    const entry = this.#findOrAddSession(record.session_id);
    if (!entry?.add(record, ms, this.#markCount < dashAllMarksMax)) return true;
    this.#invalidate();
    for (const [fromMs, { cube, advice }] of this.#periods) {
      cube.add(record);
      if (ms >= fromMs) advice.add({ record, ms });
      else advice.addContext({ record, ms });
    }
    if (record.type === "alert") this.#markCount += 1;
    if (record.type === "definitions") this.#addList(record, ms, entry);
    if (record.type === "call" && ms >= this.fromMs) this.#addCall(record, ms, entry);
    return true;
  }

  listFacts(period: ViewPeriod, needsPrices = false): readonly UsageFact[] {
    const fromMs = this.computeStartMs(period);
    const key = `${fromMs} ${needsPrices}`;
    const cached = this.#facts.get(key);
    if (cached) return cached;
    const cube = this.#periods.get(fromMs)?.cube;
    const facts = cube ? this.#completeFacts(cube, { fromMs, needsPrices }) : [];
    this.#facts.set(key, facts);
    return facts;
  }

  advise(
    period: ViewPeriod,
    filters: NameFilters,
    limits?: readonly ConfiguredLimits[],
  ): SummedAdvice {
    const advice = this.#periods.get(this.computeStartMs(period))?.advice ?? new AdviceFold();
    return advice.advise(filters, limits);
  }

  findAppTraffic(period: ViewPeriod): Cube["view"] | undefined {
    return this.#periods.get(this.computeStartMs(period))?.cube.view;
  }

  /** The newest list that is not empty, counted by this estimator or, if none is given, by any. */
  findList(server: string, estimator?: string): NewestList | undefined {
    if (estimator !== undefined) return this.#lists.get(makeListKey(server, estimator));
    return this.#newestLists.get(server);
  }

  #invalidate(): void {
    this.#version += 1;
    this.#facts.clear();
  }

  #findOrAddSession(id: string): SessionEntry | undefined {
    const existing = this.sessions.get(id);
    if (existing || this.sessions.size >= reportSessionsMax) return existing;
    const entry = new SessionEntry(id, this.#seenRoom);
    this.sessions.set(id, entry);
    return entry;
  }

  #addList(record: DefinitionsRecord, ms: number, { estimation }: SessionEntry): void {
    const { server } = record;
    const estimator = estimation?.estimator ?? "";
    const key = makeListKey(server, estimator);
    const previous = this.#lists.get(key);
    if (record.tools_total === 0 || (previous && previous.ms > ms)) return;
    if (!previous && this.#lists.size >= dashListsMax) return;
    const list = { record, ms, estimator };
    this.#lists.set(key, list);
    if ((this.#newestLists.get(server)?.ms ?? -Infinity) <= ms) this.#newestLists.set(server, list);
  }

  #addLoggedCall(call: ImportedCallRecord): void {
    const ms = this.#instants.read(call.ts);
    const { session_id: id, server, method, model } = call;
    const isKnown = this.loggedSessions.has(id);
    if (ms < this.fromMs || (!isKnown && this.loggedSessions.size >= reportSessionsMax)) return;
    const session = this.loggedSessions.get(id) ?? {
      client: nameClient(call.client),
      server,
      model,
      estimation: readEstimation(call),
      beganMs: ms,
      newestMs: ms,
      tokens: 0,
    };
    this.loggedSessions.set(id, session);
    const [input, output] = [call.input_tokens ?? 0, call.output_tokens ?? 0];
    session.beganMs = Math.min(session.beganMs, ms);
    session.newestMs = Math.max(session.newestMs, ms);
    session.tokens += input + output;
    this.calls.add({
      ms,
      session: id,
      server,
      tool: describeTool(method, call.tool),
      seq: call.seq,
      input,
      output,
      visible: output,
      wire: 0,
      duplicate: 0,
      durationMs: call.duration_ms ?? 0,
      context: session.tokens,
      outcome: call.outcome,
    });
  }

  #addCall(record: CallRecord, ms: number, { id, context }: SessionEntry): void {
    const { method, tool, server, seq, outcome } = record;
    this.calls.add({
      ms,
      session: id,
      server,
      tool: describeTool(method, tool),
      seq,
      input: record.input_tokens,
      output: record.output_tokens,
      visible: record.visible_tokens,
      wire: record.wire_tokens,
      duplicate: record.duplicate_tokens,
      durationMs: record.duration_ms,
      context: context.tokens,
      outcome,
    });
  }
}

function makeListKey(server: string, estimator: string): string {
  return JSON.stringify([server, estimator]);
}

export const dashMarksMax = 500;

export class SessionEntry {
  readonly id: string;
  readonly context = new SessionContext();
  readonly #seen: SeenNumbers;
  #record: SessionRecord | undefined;
  #end: EndRecord | undefined;
  #marks: AlertRecord[] = [];
  #beganMs = Infinity;
  #newestMs = -Infinity;

  constructor(id: string, room: SeenRoom) {
    this.id = id;
    this.#seen = new SeenNumbers(room);
  }

  get record(): SessionRecord | undefined {
    return this.#record;
  }

  get end(): EndRecord | undefined {
    return this.#end;
  }

  get marks(): readonly AlertRecord[] {
    return this.#marks;
  }

  get beganMs(): number {
    return this.#beganMs;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  get client(): string | null {
    return nameClient(this.#record?.client_name ?? null);
  }

  get estimation(): SummaryEstimation | null {
    return this.#record ? readEstimation(this.#record) : null;
  }

  add(record: MeterRecord, ms: number, hasRoomForMarks: boolean): boolean {
    if (this.#seen.add(record.seq) === "again") return false;
    this.#beganMs = Math.min(this.#beganMs, ms);
    this.#newestMs = Math.max(this.#newestMs, ms);
    this.context.add(record);
    if (record.type === "session") this.#addSession(record);
    if (record.type === "end" && record.seq > (this.#end?.seq ?? -1)) this.#end = record;
    if (record.type === "alert" && hasRoomForMarks && this.#marks.length < dashMarksMax) {
      this.#marks.push(record);
    }
    return true;
  }

  #addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }
}
