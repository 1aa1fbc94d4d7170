import type { CostRange } from "#records/money/price-book.ts";
import type { LoggedTotals, RentTotals } from "./imported/logged-totals.ts";
import type {
  CountedCall,
  DefinitionsRecord,
  MeterRecord,
  ProtocolRecord,
  ConversationRecord,
} from "#records/record.ts";
import type { ViewTraffic } from "#records/summary.ts";
import { DeferredLists, DefinitionLists, type DefinitionList } from "./definition-lists.ts";
import {
  summarizeDefinitions,
  countDefinitionTokens,
  type SessionFacts,
  type SessionListing,
  SessionState,
  type CallCell,
} from "./session-state.ts";
import { type DayNumber, InstantReader, type TimeZone } from "./calendar.ts";
import { findRangeIndex, type TimeRange } from "./time-range.ts";
import { RepeatRoom } from "./repeat-table.ts";
import { SeenRoom } from "./record-filter.ts";
import {
  listMethod,
  type CallDetail,
  type CallKind,
  CallKinds,
  matchesKind,
  selectDetail,
} from "./call-kinds.ts";
import type { Axis } from "./usage-report.ts";
import { makeSums, type Sums, addCallSums } from "./usage-sums.ts";
import { reportSessionsMax } from "#records/ledger.ts";

export type UsageFact = CallDetail & {
  readonly session: SessionFacts;
  /** 0 for the reported period, 1 for the period that it is compared with. */
  readonly range: number;
  readonly day: DayNumber;
  readonly server: string;
  readonly method: string;
  readonly tool: string | null;
  readonly model: string | null;
  readonly sums: Readonly<Sums>;
  readonly logged?: LoggedTotals;
  readonly rent?: RentTotals;
  readonly cost?: CostRange | null;
  readonly rewriteUsd?: number | null | undefined;
  readonly list?: DefinitionList;
  readonly removedSessions?: number;
  /** Agent and project are known only from logs. */
  readonly agent?: ConversationRecord["kind"] | undefined;
  readonly project?: string | null | undefined;
};

// A cell takes about 300 bytes.
export const reportCellsMax = 200_000;

type CellFacts = Pick<CallCell, "range" | "day"> & { readonly detail: CallDetail };

export class CallCells {
  readonly #cells: CallCell[] = [];
  readonly #kinds = new CallKinds();

  add(session: SessionState, call: CountedCall, facts: CellFacts): boolean {
    const cell = this.#findCell(session, call, facts);
    if (!cell) return false;
    addCallSums(cell.sums, call);
    this.#countRepeat(session, call, cell);
    return true;
  }

  #countRepeat(
    { repeats }: SessionState,
    call: CountedCall,
    { kind, range, number }: CallCell,
  ): void {
    const { tool, arguments_sha256: hash, seq, outcome } = call;
    if (tool === null || hash === null || outcome === "refused") return;
    const tokens = call.input_tokens + call.output_tokens;
    // A repeat needs an earlier equal call in the same period.
    const repeat = repeats.add(kind.group * 2 + range, hash, { seq, tokens, cell: number });
    const repeatCell = repeat && this.#cells[repeat.cell];
    if (!repeatCell) return;
    repeatCell.sums.repeated_calls += 1;
    repeatCell.sums.repeated_tokens += repeat.tokens;
  }

  #findCell(
    session: SessionState,
    call: CountedCall,
    { range, day, detail }: CellFacts,
  ): CallCell | undefined {
    const newest = session.newestCellByTool.get(call.tool);
    if (newest?.day === day && newest.range === range && matchesKind(newest.kind, call, detail)) {
      return newest;
    }
    const kind = this.#kinds.findKind(call, detail);
    const existing = session.cells.get(makeCellKey(range, day, kind));
    if (!existing && this.#cells.length >= reportCellsMax) return undefined;
    const cell = existing ?? this.#addCell(session, { range, day, kind });
    session.newestCellByTool.set(cell.kind.tool, cell);
    return cell;
  }

  #addCell(
    { cells }: SessionState,
    { range, day, kind }: Pick<CallCell, "range" | "day" | "kind">,
  ): CallCell {
    const cell = { range, day, kind, number: this.#cells.length, sums: makeSums() };
    cells.set(makeCellKey(range, day, kind), cell);
    this.#cells.push(cell);
    return cell;
  }
}

// A number takes less memory than a string. The range is 0 or 1. A day, negative before 1970, fits in 24 bits.
function makeCellKey(range: number, day: number, kind: CallKind): number {
  return (kind.number * 2 + range) * 2 ** 24 + day + 2 ** 23;
}

type CubeOptions = ReportPeriods & {
  readonly keepsLists?: boolean;
  readonly by?: readonly Axis[];
};

export type CubeOmissions = {
  readonly records: number;
  readonly uncomparedCalls: number;
  // Lists for which no room was left. A trend may lack the tools of these lists. Their deferred definitions may count
  // as 0 tokens even after a model loads them.
  readonly lists: number;
};

/** Takes the records of many sessions, in any order. A record that is added again counts once. */
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
  #definitionListCount = 0;
  #recordsLeftOut = 0;
  #listsLeftOut = 0;

  constructor(options: CubeOptions) {
    this.#options = options;
  }

  get omissions(): CubeOmissions {
    return {
      records: this.#recordsLeftOut,
      uncomparedCalls: this.#repeatRoom.leftOut,
      lists: this.#listsLeftOut,
    };
  }

  /** Returns false if the record has no valid time. */
  add(record: MeterRecord): boolean {
    if (record.type === "call") return this.addCall(record);
    const ms = this.#instants.read(record.ts);
    if (Number.isNaN(ms)) return false;
    if (record.type === "protocol" && record.reader === "view") this.#addView(record, ms);
    if (!timedTypes.has(record.type)) return true;
    const session = this.#findSession(record.session_id);
    if (!session) return true;
    session.addTime(ms);
    if (record.type === "session") session.addSession(record);
    if (record.type === "definitions") this.#addDefinitions(session, record, ms);
    return true;
  }

  addCall(call: CountedCall): boolean {
    const ms = this.#instants.read(call.ts);
    if (Number.isNaN(ms)) return false;
    const { ranges, zone, by } = this.#options;
    const range = findRangeIndex(ranges, ms);
    if (range < 0) return true;
    const session = this.#findSession(call.session_id);
    if (!session) return true;
    session.addTime(ms);
    const status = session.seenNumbers.add(call.seq);
    if (status === "again") return true;
    const detail = selectDetail(by, ms, zone, call.confidence);
    const isCounted =
      status === "new" && this.#cells.add(session, call, { range, day: zone.findDay(ms), detail });
    if (!isCounted) this.#recordsLeftOut += 1;
    return true;
  }

  #addView({ server, session_id: id, seq, ...sizes }: ProtocolRecord, ms: number): void {
    // The second range is only for comparisons, which leave out the requests of MCP Apps pages.
    if (findRangeIndex(this.#options.ranges, ms) !== 0) return;
    const session = this.#findSession(id);
    session?.addTime(ms);
    const status = session?.seenNumbers.add(seq);
    if (status !== "new") {
      if (status === "unknown") this.#recordsLeftOut += 1;
      return;
    }
    const { calls, bytes } = this.view.get(server) ?? { calls: 0, bytes: 0 };
    const size = sizes.input_bytes + sizes.output_bytes;
    this.view.set(server, { calls: calls + 1, bytes: bytes + size });
  }

  makeFacts(): UsageFact[] {
    return [...this.#sessions.values()].flatMap((session) =>
      makeUsageFacts(session, this.#options),
    );
  }

  *listDefinitions(): Generator<SessionListing> {
    for (const state of this.#sessions.values()) {
      if (state.definitions.size === 0) continue;
      const session = state.describe(this.#options.zone);
      for (const [server, { hasTools, ms, residentTokens }] of state.definitions) {
        const { clientSession } = state;
        if (hasTools) yield { server, ms, tokens: residentTokens, session, clientSession };
      }
    }
  }

  #findSession(id: string): SessionState | undefined {
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
    if (!isKnown && this.#definitionListCount >= reportCellsMax) {
      this.#recordsLeftOut += 1;
      return;
    }
    if (!isKnown) this.#definitionListCount += 1;
    const tools = record.is_deferred ? this.#deferred.share(record) : undefined;
    const list = this.#options.keepsLists === true ? this.#lists.share(record) : undefined;
    const isStored =
      (tools !== undefined || !record.is_deferred) &&
      (list !== undefined || this.#options.keepsLists !== true);
    if (!isStored) this.#listsLeftOut += 1;
    session.addDefinitions(record.server, summarizeDefinitions(record, ms, { tools, list }));
  }
}

// A session lasts from its first to its last call or record of these types.
const timedTypes: ReadonlySet<string> = new Set(["session", "definitions", "protocol", "end"]);

type ReportPeriods = { readonly ranges: readonly TimeRange[]; readonly zone: TimeZone };

function makeUsageFacts(state: SessionState, { ranges, zone, by }: CubeOptions): UsageFact[] {
  const session = state.describe(zone);
  const makeListFact = (server: string, ms: number): Omit<UsageFact, "sums"> | undefined => {
    const range = findRangeIndex(ranges, ms);
    if (range < 0) return undefined;
    const { model } = session;
    const detail = selectDetail(by, ms, zone, session.estimation?.confidence);
    const day = zone.findDay(ms);
    return { session, range, day, server, method: listMethod, tool: null, model, ...detail };
  };
  return [
    ...makeCallFacts(state, session),
    ...makeDefinitionFacts(state, makeListFact),
    ...makePresenceFacts(state, session, makeListFact),
  ];
}

function makeCallFacts({ cells }: SessionState, session: SessionFacts): UsageFact[] {
  return [...cells.values()].map(
    ({ range, day, sums, kind: { server, method, tool, model, detail } }): UsageFact => ({
      session,
      range,
      day,
      server,
      method,
      tool,
      model: model ?? session.model,
      ...detail,
      sums,
    }),
  );
}

type MakeListFact = (server: string, ms: number) => Omit<UsageFact, "sums"> | undefined;

function makeDefinitionFacts(state: SessionState, makeListFact: MakeListFact): UsageFact[] {
  return [...state.definitions].flatMap(([server, definitions]) => {
    const fact = makeListFact(server, definitions.ms);
    if (!fact) return [];
    const called = findCalledTools(state, server, fact.range);
    const sums: Sums = { ...makeSums(), ...countDefinitionTokens(definitions, called) };
    const { list } = definitions;
    return [{ ...fact, sums, ...(list ? { list } : {}) }];
  });
}

// A session counts even without calls and definitions.
function makePresenceFacts(
  state: SessionState,
  session: SessionFacts,
  makeListFact: MakeListFact,
): UsageFact[] {
  const { server } = state;
  const fact = server === undefined ? undefined : makeListFact(server, session.beganMs);
  return fact ? [{ ...fact, sums: makeSums() }] : [];
}

function findCalledTools(state: SessionState, server: string, range: number): ReadonlySet<string> {
  const names = [...state.cells.values()].flatMap(({ kind, ...cell }) =>
    kind.server === server && cell.range === range && kind.method === "tools/call"
      ? [kind.tool]
      : [],
  );
  return new Set(names.filter((name) => name !== null));
}
