import { reportSessionsMax } from "#kit/limits.ts";
import type {
  CallRecord,
  DefinitionsRecord,
  MeterRecord,
  AlertRecord,
  EndRecord,
  SessionRecord,
} from "#records/record.ts";
import { Cube } from "#history/reports/cube.ts";
import { InstantReader, type DayNumber, type TimeZone } from "#history/reports/calendar.ts";
import { describeTool } from "#history/reports/row-keys.ts";
import { SeenRoom, SeenNumbers } from "#history/reports/seen-records.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import { countDays, type ViewPeriod, periods } from "../view.ts";
import { CallTable } from "./call-table.ts";
import { readEstimation } from "#records/certainty.ts";
import { SessionContext } from "#records/definition-summary.ts";
import type { SummaryEstimation } from "#records/summary.ts";

const dashAllMarksMax = 50_000;

const dashListsMax = 200;

type CompleteFacts = (
  wire: Pick<Cube, "facts" | "definitions">,
  fromMs: number,
) => readonly UsageFact[];

export type ModelDays = {
  readonly zone: TimeZone;
  readonly fromMs: number;
  readonly nowMs: number;
};

export type NewestList = {
  readonly record: DefinitionsRecord;
  readonly ms: number;
  readonly estimator: string;
};

// Files may be read in any order, and records more than once. A model is for one day, on which all its periods end.
export class DashModel {
  readonly zone: TimeZone;
  readonly fromMs: number;
  readonly today: DayNumber;
  readonly calls = new CallTable();
  readonly sessions = new Map<string, SessionEntry>();
  // By start of the period, because a call counts as repeated only if the first one is in the same period.
  readonly #cubes = new Map<number, Cube>();
  readonly #instants = new InstantReader();
  readonly #seenRoom = new SeenRoom();
  readonly #lists = new Map<string, NewestList>();
  readonly #newestLists = new Map<string, NewestList>();
  #complete: CompleteFacts = (wire) => wire.facts();
  readonly #facts = new Map<number, readonly UsageFact[]>();
  #version = 0;
  #marks = 0;

  constructor({ zone, fromMs, nowMs }: ModelDays) {
    this.zone = zone;
    this.fromMs = fromMs;
    this.today = zone.findDay(nowMs);
    for (const period of periods) {
      const beginMs = this.computeStartMs(period);
      const ranges = [{ fromMs: beginMs, toMs: Infinity }];
      this.#cubes.set(beginMs, new Cube({ ranges, zone }));
    }
  }

  computeStartMs(period: ViewPeriod): number {
    const first = this.today - countDays(period) + 1;
    return first === -Infinity ? this.fromMs : Math.max(this.fromMs, this.zone.findDayStart(first));
  }

  get version(): number {
    return this.#version;
  }

  get leftOut(): number {
    return this.#cubes.get(this.fromMs)?.omissions.records ?? 0;
  }

  set complete(complete: CompleteFacts) {
    this.#complete = complete;
    this.#invalidate();
  }

  take(record: MeterRecord): boolean {
    const ms = this.#instants.read(record.ts);
    if (Number.isNaN(ms)) return false;
    const entry = this.#openSession(record.session_id);
    if (!entry?.take(record, ms, this.#marks < dashAllMarksMax)) return true;
    this.#invalidate();
    for (const cube of this.#cubes.values()) cube.add(record);
    if (record.type === "alert") this.#marks += 1;
    if (record.type === "definitions") this.#addList(record, ms, entry);
    if (record.type === "call" && ms >= this.fromMs) this.#addCall(record, ms, entry);
    return true;
  }

  facts(period: ViewPeriod): readonly UsageFact[] {
    const beginMs = this.computeStartMs(period);
    const cached = this.#facts.get(beginMs);
    if (cached) return cached;
    const cube = this.#cubes.get(beginMs);
    const facts = cube ? this.#complete(cube, beginMs) : [];
    this.#facts.set(beginMs, facts);
    return facts;
  }

  findViewTraffic(period: ViewPeriod): Cube["view"] | undefined {
    return this.#cubes.get(this.computeStartMs(period))?.view;
  }

  /** Counted by this estimator, or else by any. */
  findList(server: string, estimator?: string): NewestList | undefined {
    if (estimator !== undefined) return this.#lists.get(makeListKey(server, estimator));
    return this.#newestLists.get(server);
  }

  #invalidate(): void {
    this.#version += 1;
    this.#facts.clear();
  }

  #openSession(id: string): SessionEntry | undefined {
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
  #definitions: DefinitionsRecord | undefined;
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

  get definitions(): DefinitionsRecord | undefined {
    return this.#definitions;
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

  get estimation(): SummaryEstimation | null {
    return this.#record ? readEstimation(this.#record) : null;
  }

  take(record: MeterRecord, ms: number, hasRoom: boolean): boolean {
    if (this.#seen.add(record.seq) === "again") return false;
    this.#beganMs = Math.min(this.#beganMs, ms);
    this.#newestMs = Math.max(this.#newestMs, ms);
    this.context.add(record);
    if (record.type === "session") this.#addSession(record);
    if (record.type === "definitions" && record.tools_total > 0) this.#definitions = record;
    if (record.type === "end") this.#end = record;
    if (record.type === "alert" && hasRoom && this.#marks.length < dashMarksMax) {
      this.#marks.push(record);
    }
    return true;
  }

  #addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }
}
