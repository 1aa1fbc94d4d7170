import { reportCellsMax } from "../limits.ts";
import { reportSessionsMax } from "#kit/limits.ts";
import type {
  CountedCall,
  DefinitionsRecord,
  MeterRecord,
  ProtocolRecord,
} from "#records/record.ts";
import type { ViewTraffic } from "#records/summary.ts";
import {
  DeferredLists,
  DefinitionLists,
  definitionsOf,
  definitionTokens,
  type SessionFacts,
  type SessionList,
  SessionState,
  type CallCell,
} from "./session-state.ts";
import { InstantReader, rangeAt, type TimeRange, type TimeZone } from "./calendar.ts";
import { RepeatRoom } from "./repeat-table.ts";
import { SeenRoom } from "./seen-records.ts";
import type { UsageFact } from "./usage-fact.ts";
import { listMethod, type CallKind, CallKinds, isOfKind } from "./call-kinds.ts";
import { noSums, type Sums, addCallTo } from "./sums.ts";

type CallPlace = Pick<CallCell, "range" | "day">;

export class CallCells {
  readonly #cells: CallCell[] = [];
  readonly #kinds = new CallKinds();

  add(session: SessionState, call: CountedCall, place: CallPlace): boolean {
    const cell = this.#cellOf(session, call, place);
    if (!cell) return false;
    addCallTo(cell.sums, call);
    this.#compare(session, call, cell);
    return true;
  }

  #compare({ repeats }: SessionState, call: CountedCall, { kind, range, number }: CallCell): void {
    const { tool, arguments_sha256: hash, seq, outcome } = call;
    if (tool === null || hash === null || outcome === "refused") return;
    const tokens = call.input_tokens + call.output_tokens;
    const repeat = repeats.add(kind.group * 2 + range, hash, { seq, tokens, cell: number });
    const counting = repeat && this.#cells[repeat.cell];
    if (!counting) return;
    counting.sums.repeated_calls += 1;
    counting.sums.repeated_tokens += repeat.tokens;
  }

  #cellOf(
    session: SessionState,
    call: CountedCall,
    { range, day }: CallPlace,
  ): CallCell | undefined {
    const newest = session.newestCells.get(call.tool);
    if (newest?.day === day && newest.range === range && isOfKind(newest.kind, call)) return newest;
    const known = session.cells.get(cellKey(range, day, this.#kinds.kindOf(call)));
    if (!known && this.#cells.length >= reportCellsMax) return undefined;
    const cell = known ?? this.#addCell(session, call, { range, day });
    session.newestCells.set(cell.kind.tool, cell);
    return cell;
  }

  #addCell({ cells }: SessionState, call: CountedCall, { range, day }: CallPlace): CallCell {
    const kind = this.#kinds.kindOf(call);
    const cell = { range, day, kind, number: this.#cells.length, sums: noSums() };
    cells.set(cellKey(range, day, kind), cell);
    this.#cells.push(cell);
    return cell;
  }
}

function cellKey(range: number, day: number, kind: CallKind): number {
  return (kind.number * 2 + range) * 2 ** 24 + day + 2 ** 23;
}

type CubeOptions = ReportPeriods & { readonly keepsLists?: boolean };

/** Not in any number, or not compared, for lack of room. */
export type CubeOmissions = {
  readonly records: number;
  readonly uncompared: number;
  /** Their loaded definitions count as none, and their tools are in no trend. */
  readonly lists: number;
};

/** Takes records of any number of sessions, in any order, each any number of times. A session's own facts are joined at the end. */
export class Cube {
  readonly #options: CubeOptions;
  readonly #instants = new InstantReader();
  readonly #sessions = new Map<string, SessionState>();
  #newest: { readonly id: string; readonly session: SessionState } | undefined;
  readonly #seenRoom = new SeenRoom();
  readonly #repeatRoom = new RepeatRoom();
  readonly #cells = new CallCells();
  readonly #deferred = new DeferredLists();
  readonly #lists = new DefinitionLists();
  readonly view = new Map<string, ViewTraffic>();
  #definitions = 0;
  #recordsLeftOut = 0;
  #listsLeftOut = 0;

  constructor(options: CubeOptions) {
    this.#options = options;
  }

  get omissions(): CubeOmissions {
    return {
      records: this.#recordsLeftOut,
      uncompared: this.#repeatRoom.leftOut,
      lists: this.#listsLeftOut,
    };
  }

  add(record: MeterRecord): boolean {
    if (record.type === "call") return this.addCall(record);
    const ms = this.#instants.read(record.ts);
    if (Number.isNaN(ms)) return false;
    if (record.type === "protocol" && record.reader === "view") this.#addView(record, ms);
    if (record.type !== "session" && record.type !== "definitions") return true;
    const session = this.#sessionOf(record.session_id);
    if (!session) return true;
    session.addTime(ms);
    if (record.type === "session") session.addSession(record);
    else this.#addDefinitions(session, record, ms);
    return true;
  }

  addCall(call: CountedCall): boolean {
    const ms = this.#instants.read(call.ts);
    if (Number.isNaN(ms)) return false;
    const { ranges, zone } = this.#options;
    const range = rangeAt(ranges, ms);
    if (range < 0) return true;
    const session = this.#sessionOf(call.session_id);
    if (!session) return true;
    session.addTime(ms);
    const seen = session.seen.add(call.seq);
    if (seen === "again") return true;
    const isCounted =
      seen === "new" && this.#cells.add(session, call, { range, day: zone.dayOf(ms) });
    if (!isCounted) this.#recordsLeftOut += 1;
    return true;
  }

  #addView({ server, session_id: id, seq, ...sizes }: ProtocolRecord, ms: number): void {
    // Only the first range is reported; others are compared with it.
    if (rangeAt(this.#options.ranges, ms) !== 0) return;
    const session = this.#sessionOf(id);
    session?.addTime(ms);
    if (session?.seen.add(seq) !== "new") return;
    const { calls, bytes } = this.view.get(server) ?? { calls: 0, bytes: 0 };
    const size = sizes.input_bytes + sizes.output_bytes;
    this.view.set(server, { calls: calls + 1, bytes: bytes + size });
  }

  facts(): UsageFact[] {
    return [...this.#sessions.values()].flatMap((session) => usageFactsOf(session, this.#options));
  }

  *definitions(): Generator<SessionList> {
    for (const state of this.#sessions.values()) {
      if (state.definitions.size === 0) continue;
      const session = state.factsIn(this.#options.zone);
      for (const [server, { hasTools, ms, residentTokens }] of state.definitions) {
        const { clientSession } = state;
        if (hasTools) yield { server, ms, tokens: residentTokens, session, clientSession };
      }
    }
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
    const tools = record.is_deferred ? this.#deferred.listOf(record) : undefined;
    const list = this.#options.keepsLists === true ? this.#lists.listOf(record) : undefined;
    const isWhole =
      (tools !== undefined || !record.is_deferred) &&
      (list !== undefined || this.#options.keepsLists !== true);
    if (!isWhole) this.#listsLeftOut += 1;
    session.addDefinitions(record.server, definitionsOf(record, ms, { tools, list }));
  }
}

type ReportPeriods = { readonly ranges: readonly TimeRange[]; readonly zone: TimeZone };

function usageFactsOf(state: SessionState, { ranges, zone }: ReportPeriods): UsageFact[] {
  const session = state.factsIn(zone);
  const listFact = (server: string, ms: number): Omit<UsageFact, "sums"> | undefined => {
    const range = rangeAt(ranges, ms);
    if (range < 0) return undefined;
    const { model } = session;
    return { session, range, day: zone.dayOf(ms), server, method: listMethod, tool: null, model };
  };
  return [
    ...callFacts(state, session),
    ...definitionFacts(state, listFact),
    ...presence(state, session, listFact),
  ];
}

function callFacts({ cells }: SessionState, session: SessionFacts): UsageFact[] {
  return [...cells.values()].map(
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
}

type ListFact = (server: string, ms: number) => Omit<UsageFact, "sums"> | undefined;

function definitionFacts(state: SessionState, listFact: ListFact): UsageFact[] {
  return [...state.definitions].flatMap(([server, definitions]) => {
    const fact = listFact(server, definitions.ms);
    if (!fact) return [];
    const called = calledTools(state, server, fact.range);
    const sums: Sums = { ...noSums(), ...definitionTokens(definitions, called) };
    const { list } = definitions;
    return [{ ...fact, sums, ...(list ? { list } : {}) }];
  });
}

/** A session counts from its beginning, with or without calls. */
function presence(state: SessionState, session: SessionFacts, listFact: ListFact): UsageFact[] {
  const { server } = state;
  const fact = server === undefined ? undefined : listFact(server, session.beganMs);
  return fact ? [{ ...fact, sums: noSums() }] : [];
}

function calledTools(state: SessionState, server: string, range: number): ReadonlySet<string> {
  const names = [...state.cells.values()].flatMap(({ kind, ...cell }) =>
    kind.server === server && cell.range === range && kind.method === "tools/call"
      ? [kind.tool]
      : [],
  );
  return new Set(names.filter((name) => name !== null));
}
