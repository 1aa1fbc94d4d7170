import type { CostRange } from "#money/call-cost.ts";
import { reportCellsMax, reportSessionsMax } from "#limits.ts";
import type { CountedCall, DefinitionsRecord, MeterRecord } from "#records/record.ts";
import { type CallKind, CallKinds, isOfKind } from "./call-kinds.ts";
import type { DayNumber } from "./calendar.ts";
import { DeferredLists } from "./deferred-lists.ts";
import { InstantReader } from "./instant.ts";
import { RepeatRoom } from "./repeat-table.ts";
import { SeenRoom } from "./seen-numbers.ts";
import {
  type CallCell,
  definitionsOf,
  definitionTokens,
  type SessionFacts,
  SessionState,
} from "./session-state.ts";
import { addCallTo, noSums, type Sums } from "./sums.ts";
import type { TimeRange } from "./time-range.ts";
import type { TimeZone } from "./time-zone.ts";

/** The periods of a report: the one it is about and, for a trend, the one before. */
export type CubeOptions = { readonly ranges: readonly TimeRange[]; readonly zone: TimeZone };

/** Calls of one session, day and tool, or the definitions of one session and server. */
export type UsageFact = {
  readonly session: SessionFacts;
  /** Index of the period among those of the report. */
  readonly range: number;
  readonly day: DayNumber;
  readonly server: string;
  readonly method: string;
  /** Null for a method without tools. */
  readonly tool: string | null;
  readonly model: string | null;
  readonly sums: Readonly<Sums>;
  /** Present when prices were wanted: of calls in dollars, null without a price. */
  readonly cost?: CostRange | null;
};

/** Everything for which there was no room: records that are in no number, and calls that were not compared. */
export type CubeOmissions = {
  readonly records: number;
  readonly uncompared: number;
  /** Lists of tools, whose loaded definitions count as none. */
  readonly lists: number;
};

/** The method whose facts are definitions and not calls. */
export const listMethod = "tools/list";

/**
 * The fold of a report over time: takes the records of any number of sessions, in any order, each any number of times,
 * and gives their calls and definitions by session, day and tool. A session's own facts are joined at the end.
 */
export class Cube {
  readonly #ranges: readonly TimeRange[];
  readonly #zone: TimeZone;
  readonly #instants = new InstantReader();
  readonly #sessions = new Map<string, SessionState>();
  #newest: { readonly id: string; readonly session: SessionState } | undefined;
  readonly #seenRoom = new SeenRoom();
  readonly #repeatRoom = new RepeatRoom();
  readonly #cells: CallCell[] = [];
  readonly #kinds = new CallKinds();
  readonly #lists = new DeferredLists();
  #definitions = 0;
  #recordsLeftOut = 0;
  #listsLeftOut = 0;

  constructor({ ranges, zone }: CubeOptions) {
    this.#ranges = ranges;
    this.#zone = zone;
  }

  get omissions(): CubeOmissions {
    return {
      records: this.#recordsLeftOut,
      uncompared: this.#repeatRoom.leftOut,
      lists: this.#listsLeftOut,
    };
  }

  /** False for a record whose time cannot be read: it is in no period. */
  add(record: MeterRecord): boolean {
    if (record.type === "call") return this.addCall(record);
    const ms = this.#instants.read(record.ts);
    if (Number.isNaN(ms)) return false;
    if (record.type !== "session" && record.type !== "definitions") return true;
    const session = this.#sessionOf(record.session_id);
    if (!session) return true;
    session.addTime(ms);
    if (record.type === "session") session.addSession(record);
    else this.#addDefinitions(session, record, ms);
    return true;
  }

  /** False for a call whose time cannot be read. */
  addCall(call: CountedCall): boolean {
    const ms = this.#instants.read(call.ts);
    if (Number.isNaN(ms)) return false;
    const range = this.#ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
    if (range < 0) return true;
    const session = this.#sessionOf(call.session_id);
    if (!session) return true;
    session.addTime(ms);
    const seen = session.seen.add(call.seq);
    if (seen === "new") this.#count(session, call, { range, day: this.#zone.dayOf(ms) });
    else if (seen === "unknown") this.#recordsLeftOut += 1;
    return true;
  }

  /** Everything that was added, once all records are. */
  facts(): UsageFact[] {
    return [...this.#sessions.values()].flatMap((session) => this.#factsOf(session));
  }

  #sessionOf(id: string): SessionState | undefined {
    if (this.#newest?.id === id) return this.#newest.session;
    const known = this.#sessions.get(id);
    if (!known && this.#sessions.size >= reportSessionsMax) {
      this.#recordsLeftOut += 1;
      return undefined;
    }
    const session = known ?? new SessionState(id, this.#seenRoom, this.#repeatRoom);
    if (!known) this.#sessions.set(id, session);
    this.#newest = { id, session };
    return session;
  }

  #addDefinitions(session: SessionState, record: DefinitionsRecord, ms: number): void {
    const isKnown = session.definitions.has(record.server);
    if (!isKnown && this.#definitions >= reportCellsMax) {
      this.#recordsLeftOut += 1;
      return;
    }
    if (!isKnown) this.#definitions += 1;
    const tools = record.is_deferred ? this.#lists.listOf(record) : undefined;
    if (record.is_deferred && !tools) this.#listsLeftOut += 1;
    session.addDefinitions(record.server, definitionsOf(record, ms, tools));
  }

  #count(session: SessionState, call: CountedCall, at: Pick<CallCell, "range" | "day">): void {
    const cell = this.#cellOf(session, call, at);
    if (!cell) {
      this.#recordsLeftOut += 1;
      return;
    }
    addCallTo(cell.sums, call);
    const { arguments_sha256: hash, seq, outcome } = call;
    if (call.tool === null || hash === null || outcome === "refused") return;
    const tokens = call.input_tokens + call.output_tokens;
    const repeat = session.repeats.add(cell.kind.group * 2 + cell.range, hash, {
      seq,
      tokens,
      cell: cell.number,
    });
    const counting = repeat && this.#cells[repeat.cell];
    if (!counting) return;
    counting.sums.repeated_calls += 1;
    counting.sums.repeated_tokens += repeat.tokens;
  }

  #cellOf(
    session: SessionState,
    call: CountedCall,
    { range, day }: Pick<CallCell, "range" | "day">,
  ): CallCell | undefined {
    const newest = session.newestCells.get(call.tool);
    if (newest?.day === day && newest.range === range && isOfKind(newest.kind, call)) return newest;
    const known = session.cells.get(cellKey(range, day, this.#kinds.kindOf(call)));
    if (!known && this.#cells.length >= reportCellsMax) return undefined;
    const cell = known ?? this.#addCell(session, call, { range, day });
    session.newestCells.set(cell.kind.tool, cell);
    return cell;
  }

  #addCell(
    { cells }: SessionState,
    call: CountedCall,
    { range, day }: Pick<CallCell, "range" | "day">,
  ): CallCell {
    const kind = this.#kinds.kindOf(call);
    const cell = { range, day, kind, number: this.#cells.length, sums: noSums() };
    cells.set(cellKey(range, day, kind), cell);
    this.#cells.push(cell);
    return cell;
  }

  #factsOf(state: SessionState): UsageFact[] {
    const session = state.factsIn(this.#zone);
    const calls = [...state.cells.values()].map(
      ({ range, day, sums, kind: { server, method, tool, model } }): UsageFact => ({
        session,
        range,
        day,
        server,
        method,
        tool,
        model: model ?? session.model,
        sums,
      }),
    );
    return [...calls, ...this.#definitionFacts(state, session), ...this.#presence(state, session)];
  }

  #definitionFacts(state: SessionState, session: SessionFacts): UsageFact[] {
    return [...state.definitions].flatMap(([server, definitions]) => {
      const range = this.#rangeAt(definitions.ms);
      if (range < 0) return [];
      const called = calledTools(state, server, range);
      const sums = { ...noSums(), ...definitionTokens(definitions, called) };
      return [this.#listFact({ session, range, server, ms: definitions.ms }, sums)];
    });
  }

  /** A session counts from its beginning, with or without calls. */
  #presence(state: SessionState, session: SessionFacts): UsageFact[] {
    const { server } = state;
    const range = this.#rangeAt(session.beganMs);
    if (server === undefined || range < 0) return [];
    return [this.#listFact({ session, range, server, ms: session.beganMs }, noSums())];
  }

  #listFact(
    { ms, ...rest }: Pick<UsageFact, "session" | "range" | "server"> & { readonly ms: number },
    sums: Sums,
  ): UsageFact {
    const { model } = rest.session;
    return { ...rest, day: this.#zone.dayOf(ms), method: listMethod, tool: null, model, sums };
  }

  #rangeAt(ms: number): number {
    return this.#ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
  }
}

function calledTools(state: SessionState, server: string, range: number): ReadonlySet<string> {
  const names = [...state.cells.values()].flatMap(({ kind, ...cell }) =>
    kind.server === server && cell.range === range && kind.method === "tools/call"
      ? [kind.tool]
      : [],
  );
  return new Set(names.filter((name) => name !== null));
}

/** A whole number of its own for each range, kind and day; kinds are fewer than cells, days than 2^23 either way. */
function cellKey(range: number, day: number, kind: CallKind): number {
  return (kind.number * 2 + range) * 2 ** 24 + day + 2 ** 23;
}
