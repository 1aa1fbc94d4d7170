import type { PriceBook } from "#records/money/price-book.ts";
import { computeConversationCost } from "#records/money/turns/conversation-cost.ts";
import type {
  TurnCallCost,
  ConversationCost,
  Rent,
  HeldDefinitions,
  ModelTurn,
  TurnCall,
} from "#records/money/turns/turn.ts";
import type {
  ImportedCallRecord,
  TurnRecord,
  ToolListRecord,
  CallRecord,
} from "#records/record.ts";
import type { TimeZone, DayNumber } from "../calendar.ts";
import { isInRange, type TimeRange } from "../time-range.ts";
import type { ImportedConversation, KnownDefinitions } from "./imported-history.ts";
import { readEstimation, type SummaryEstimation } from "#records/summary.ts";
import type { SessionListing } from "../session-state.ts";

export type LoggedCallCost = {
  readonly nanoDollars: number | null;
  readonly carriedTokens: number;
  readonly rereads: number;
};

type CostPlan = {
  readonly prices: PriceBook | undefined;
  readonly range: TimeRange;
  readonly zone: TimeZone;
  readonly known: KnownDefinitions;
  readonly matchedCalls: ReadonlyMap<ImportedCallRecord, CallRecord>;
};

export type ServerRents = {
  readonly server: PresentServer;
  // Undefined if the sizes of the definitions are unknown.
  readonly rentByPeriod: ReadonlyMap<number, Readonly<Rent>> | undefined;
  readonly turnsByPeriod: ReadonlyMap<number, number>;
};

export type CostedConversation = {
  readonly cost: ConversationCost;
  readonly calls: ReadonlyMap<ImportedCallRecord, LoggedCallCost>;
  readonly servers: readonly ServerRents[];
  readonly periods: TurnPeriods;
  readonly pricedPeriods: ReadonlySet<number>;
};

export function priceConversation(
  conversation: ImportedConversation,
  plan: CostPlan,
): CostedConversation {
  const records = [...conversation.turns.values()].toSorted((a, b) => a.index - b.index);
  const periods = new TurnPeriods(records, plan);
  const turns = records.map((record, position) => ({
    ...convertTurn(record, plan.prices),
    period: periods.numbers[position] ?? 0,
  }));
  const positions = new Map(records.map(({ index }, position) => [index, position]));
  const calls = [...conversation.calls.values()].flatMap((call) => {
    const writtenBy = call.turn === null ? undefined : positions.get(call.turn);
    return writtenBy === undefined
      ? []
      : [{ call, turnCall: convertCall(call, writtenBy, positions) }];
  });
  const present = findPresentServers(conversation, {
    ...plan,
    findPosition: makePositionFinder(records),
  });
  const definitions = present.flatMap((server) => server.definitions ?? []);
  const cost = computeConversationCost(
    turns,
    calls.map(({ turnCall }) => turnCall),
    definitions,
  );
  const costs = calls.map(({ call, turnCall }, index): [ImportedCallRecord, LoggedCallCost] => {
    const isPriced = turns[turnCall.writtenBy]?.prices !== undefined;
    return [call, makeLoggedCost(cost.calls[index], isPriced)];
  });
  const pricedTurns = turns.filter(({ prices }) => prices !== undefined);
  return {
    cost,
    calls: new Map(costs),
    servers: groupRents(present, cost, periods),
    periods,
    pricedPeriods: new Set(pricedTurns.map(({ period }) => period)),
  };
}

function groupRents(
  present: readonly PresentServer[],
  { rents }: ConversationCost,
  periods: TurnPeriods,
): readonly ServerRents[] {
  // `rents` has an entry for each list of definitions, in the order of the servers.
  let next = 0;
  return present.map((server) => {
    const { definitions } = server;
    const listRents = rents.slice(next, next + (definitions?.length ?? 0));
    next += listRents.length;
    const fromTurn = definitions
      ?.map((list) => list.fromTurn)
      .reduce((a, b) => Math.min(a, b), Infinity);
    return {
      server,
      rentByPeriod: definitions && sumRentsByPeriod(listRents),
      turnsByPeriod: periods.countTurnsFrom(fromTurn ?? 0),
    };
  });
}

function sumRentsByPeriod(rents: ConversationCost["rents"]): ReadonlyMap<number, Readonly<Rent>> {
  const sums = new Map<number, Rent>();
  for (const [period, { cost, tokens }] of rents.flatMap((listRents) => [...listRents])) {
    const known = sums.get(period) ?? { cost: 0, tokens: 0 };
    sums.set(period, { cost: known.cost + cost, tokens: known.tokens + tokens });
  }
  return sums;
}

// Finds the position of the first record at or after a turn's index: some indexes have no record.
function makePositionFinder(records: readonly TurnRecord[]): (index: number) => number {
  return (index) => {
    const position = records.findIndex((record) => record.index >= index);
    return position < 0 ? records.length : position;
  };
}

function makeLoggedCost(cost: TurnCallCost | undefined, isPriced: boolean): LoggedCallCost {
  const { written = 0, firstRead = 0, carried = 0, carriedTokens = 0, rereads = 0 } = cost ?? {};
  return { nanoDollars: isPriced ? written + firstRead + carried : null, carriedTokens, rereads };
}

function convertTurn(record: TurnRecord, prices: PriceBook | undefined): ModelTurn {
  const { model, ts } = record;
  return {
    usage: {
      uncached: record.uncached_tokens,
      cacheRead: record.cache_read_tokens,
      cacheWrite5m: record.cache_write_5m_tokens,
      cacheWrite1h: record.cache_write_1h_tokens,
      output: record.output_tokens,
      reasoning: record.reasoning_tokens,
    },
    prices: model === null ? undefined : prices?.find(model, ts),
    startsOver: record.after_boundary,
  };
}

function convertCall(
  call: ImportedCallRecord,
  writtenBy: number,
  positions: ReadonlyMap<number, number>,
): TurnCall {
  return {
    argumentTokens: call.input_tokens ?? 0,
    answerTokens: call.output_tokens ?? 0,
    writtenBy,
    readBy: call.read_by === null ? null : (positions.get(call.read_by) ?? null),
  };
}

// Turns of the same model on the same day form a period. Periods are numbered from 1.
type TurnPeriod = { readonly day: DayNumber; readonly model: string | null };

class TurnPeriods {
  // The number of each turn's period, or 0 for a turn outside the range.
  readonly numbers: readonly number[];
  readonly #periods = new Map<string, TurnPeriod & { readonly number: number }>();

  constructor(turns: readonly TurnRecord[], { range, zone }: { range: TimeRange; zone: TimeZone }) {
    this.numbers = turns.map(({ ts, model }) => {
      const ms = Date.parse(ts);
      if (!isInRange(range, ms)) return 0;
      const day = zone.findDay(ms);
      const key = `${day} ${model ?? ""}`;
      const known = this.#periods.get(key) ?? { day, model, number: this.#periods.size + 1 };
      this.#periods.set(key, known);
      return known.number;
    });
  }

  get byNumber(): ReadonlyMap<number, TurnPeriod> {
    return new Map([...this.#periods.values()].map(({ number, ...period }) => [number, period]));
  }

  countTurnsFrom(position: number): ReadonlyMap<number, number> {
    const turns = new Map<number, number>();
    for (const number of this.numbers.slice(Math.min(position, this.numbers.length))) {
      if (number > 0) turns.set(number, (turns.get(number) ?? 0) + 1);
    }
    return turns;
  }
}

const rentedServersMax = 200;

// `definitions` is undefined if their sizes are unknown.
type PresentServer = {
  readonly server: string;
  readonly sessionId: string;
  readonly definitions: readonly HeldDefinitions[] | undefined;
  readonly estimation: SummaryEstimation | null;
};

type PresenceFacts = {
  readonly known: KnownDefinitions;
  readonly matchedCalls: ReadonlyMap<ImportedCallRecord, CallRecord>;
  readonly findPosition: (index: number) => number;
};

// For each server, takes the definitions from the first source that exists: this conversation's metered session, the
// log's lists of tools, or the client's newest session with the server.
function findPresentServers(
  conversation: ImportedConversation,
  { known, matchedCalls, findPosition }: PresenceFacts,
): readonly PresentServer[] {
  const { record } = conversation;
  const sessionLists = known.findBySession(record?.client_session_id_sha256);
  const lists = Map.groupBy(conversation.lists.values(), ({ server }) => server);
  const calls = new Map(
    [...conversation.calls.values()].map((call) => [(matchedCalls.get(call) ?? call).server, call]),
  );
  const servers = new Set([...sessionLists.keys(), ...lists.keys(), ...calls.keys()]);
  return [...servers].slice(0, rentedServersMax).flatMap((server): PresentServer[] => {
    const sessionList = sessionLists.get(server);
    if (sessionList)
      return [{ server, sessionId: sessionList.session.id, ...convertList(sessionList) }];
    const [list] = lists.get(server) ?? [];
    if (list) return [convertLoggedLists(list, lists.get(server) ?? [], findPosition)];
    const call = calls.get(server);
    if (!call) return [];
    const otherList = known.findByClient(call.client, server);
    const listFacts = otherList
      ? convertList(otherList)
      : { definitions: undefined, estimation: readEstimation(call) };
    return [{ server, sessionId: (matchedCalls.get(call) ?? call).session_id, ...listFacts }];
  });
}

function convertList({
  tokens,
  session,
}: SessionListing): Pick<PresentServer, "definitions" | "estimation"> {
  return { definitions: [{ tokens, fromTurn: 0 }], estimation: session.estimation };
}

function convertLoggedLists(
  first: ToolListRecord,
  lists: readonly ToolListRecord[],
  findPosition: PresenceFacts["findPosition"],
): PresentServer {
  const isCounted = lists.some(({ tokens }) => tokens !== null);
  const definitions = lists.map(({ tokens, turn, until_turn: until }): HeldDefinitions => {
    const span = { tokens: tokens ?? 0, fromTurn: findPosition(turn) };
    return until === null ? span : { ...span, untilTurn: findPosition(until) };
  });
  return {
    server: first.server,
    sessionId: first.session_id,
    definitions: isCounted ? definitions : undefined,
    estimation: readEstimation(first),
  };
}
