import type { PriceBook } from "#records/money/price-book.ts";
import { conversationCost } from "#records/money/turns/conversation-cost.ts";
import type {
  CallInTurns,
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
import type { TimeRange, TimeZone, DayNumber } from "../calendar.ts";
import type { ImportedConversation, KnownDefinitions } from "./imported-history.ts";
import { estimationOf } from "#records/certainty.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { SessionList } from "../session-state.ts";

export type LoggedCost = {
  /** Billionths of a dollar; null if the model of the asking turn has no price, or no costs are wanted. */
  readonly nanoDollars: number | null;
  readonly carriedTokens: number;
  readonly rereads: number;
};

type CostPlan = {
  readonly prices: PriceBook | undefined;
  readonly range: TimeRange;
  readonly zone: TimeZone;
  readonly known: KnownDefinitions;
  readonly pairs: ReadonlyMap<ImportedCallRecord, CallRecord>;
};

export type ServerRents = {
  readonly server: PresentServer;
  readonly rents: ReadonlyMap<number, Readonly<Rent>> | undefined;
  readonly turns: ReadonlyMap<number, number>;
};

export type CostedConversation = {
  readonly cost: ConversationCost;
  readonly calls: ReadonlyMap<ImportedCallRecord, LoggedCost>;
  readonly servers: readonly ServerRents[];
  readonly periods: TurnPeriods;
  readonly priced: ReadonlySet<number>;
};

export function costedConversation(
  conversation: ImportedConversation,
  plan: CostPlan,
): CostedConversation {
  const records = [...conversation.turns.values()].toSorted(
    (one, other) => one.index - other.index,
  );
  const periods = new TurnPeriods(records, plan);
  const turns = records.map((record, place) => ({
    ...modelTurn(record, plan.prices),
    period: periods.numbers[place] ?? 0,
  }));
  const places = new Map(records.map(({ index }, place) => [index, place]));
  const calls = [...conversation.calls.values()].flatMap((call) => {
    const asked = call.turn === null ? undefined : places.get(call.turn);
    return asked === undefined ? [] : [{ call, place: turnCall(call, asked, places) }];
  });
  const present = presentServers(conversation, { ...plan, placeOf: placesFrom(records) });
  const held = present.flatMap((server) => server.held ?? []);
  const cost = conversationCost(
    turns,
    calls.map(({ place }) => place),
    held,
  );
  const costs = calls.map(({ call, place }, index): [ImportedCallRecord, LoggedCost] => {
    return [call, costOf(cost.calls[index], turns[place.asked]?.prices !== undefined)];
  });
  const priced = turns.filter(({ prices }) => prices !== undefined).map(({ period }) => period);
  return {
    cost,
    calls: new Map(costs),
    servers: serverRents(present, cost, periods),
    periods,
    priced: new Set(priced),
  };
}

/** The rents of a server's several lists are added up. */
function serverRents(
  present: readonly PresentServer[],
  { rents }: ConversationCost,
  periods: TurnPeriods,
): readonly ServerRents[] {
  let next = 0;
  return present.map((server) => {
    const { held } = server;
    const from = held?.reduce((least, one) => Math.min(least, one.from), Infinity) ?? 0;
    const its = rents.slice(next, next + (held?.length ?? 0));
    next += its.length;
    return { server, rents: held && addedRents(its), turns: periods.turnsFrom(from) };
  });
}

function addedRents(rents: ConversationCost["rents"]): ReadonlyMap<number, Readonly<Rent>> {
  const sums = new Map<number, Rent>();
  for (const [period, { cost, tokens }] of rents.flatMap((its) => [...its])) {
    const known = sums.get(period) ?? { cost: 0, tokens: 0 };
    sums.set(period, { cost: known.cost + cost, tokens: known.tokens + tokens });
  }
  return sums;
}

function placesFrom(records: readonly TurnRecord[]): (index: number) => number {
  return (index) => {
    const place = records.findIndex((record) => record.index >= index);
    return place < 0 ? records.length : place;
  };
}

function costOf(cost: CallInTurns | undefined, isPriced: boolean): LoggedCost {
  const { written = 0, first = 0, carried = 0, carriedTokens = 0, rereads = 0 } = cost ?? {};
  return { nanoDollars: isPriced ? written + first + carried : null, carriedTokens, rereads };
}

function modelTurn(record: TurnRecord, prices: PriceBook | undefined): ModelTurn {
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

function turnCall(
  call: ImportedCallRecord,
  asked: number,
  places: ReadonlyMap<number, number>,
): TurnCall {
  return {
    argumentTokens: call.input_tokens ?? 0,
    answerTokens: call.output_tokens ?? 0,
    asked,
    readBy: call.read_by === null ? null : (places.get(call.read_by) ?? null),
  };
}

type TurnPeriod = { readonly day: DayNumber; readonly model: string | null };

class TurnPeriods {
  readonly numbers: readonly number[];
  readonly #periods = new Map<string, TurnPeriod & { readonly number: number }>();

  constructor(turns: readonly TurnRecord[], { range, zone }: { range: TimeRange; zone: TimeZone }) {
    this.numbers = turns.map(({ ts, model }) => {
      const ms = Date.parse(ts);
      if (!(ms >= range.fromMs && ms < range.toMs)) return 0;
      const day = zone.dayOf(ms);
      const key = `${day} ${model ?? ""}`;
      const known = this.#periods.get(key) ?? { day, model, number: this.#periods.size + 1 };
      this.#periods.set(key, known);
      return known.number;
    });
  }

  get all(): ReadonlyMap<number, TurnPeriod> {
    return new Map([...this.#periods.values()].map(({ number, ...period }) => [number, period]));
  }

  turnsFrom(place: number): ReadonlyMap<number, number> {
    const turns = new Map<number, number>();
    for (const number of this.numbers.slice(Math.min(place, this.numbers.length))) {
      if (number > 0) turns.set(number, (turns.get(number) ?? 0) + 1);
    }
    return turns;
  }
}

export const rentedServersMax = 200;

type PresentServer = {
  readonly server: string;
  readonly sessionId: string;
  readonly held: readonly HeldDefinitions[] | undefined;
  readonly estimation: SummaryEstimation | null;
};

type PresenceFacts = {
  readonly known: KnownDefinitions;
  readonly pairs: ReadonlyMap<ImportedCallRecord, CallRecord>;
  readonly placeOf: (index: number) => number;
};

/** Servers that ran behind mcp-meter, that the log lists, or that were called. Definitions of that session, else names in the log, else another session's. */
export function presentServers(
  conversation: ImportedConversation,
  { known, pairs, placeOf }: PresenceFacts,
): readonly PresentServer[] {
  const { record } = conversation;
  const own = known.ofSession(record?.client_session_id_sha256);
  const lists = Map.groupBy(conversation.lists.values(), ({ server }) => server);
  const calls = new Map(
    [...conversation.calls.values()].map((call) => [pairs.get(call)?.server ?? call.server, call]),
  );
  const servers = new Set([...own.keys(), ...lists.keys(), ...calls.keys()]);
  return [...servers].slice(0, rentedServersMax).flatMap((server): PresentServer[] => {
    const ran = own.get(server);
    if (ran) return [{ server, sessionId: ran.session.id, ...heldList(ran) }];
    const [list] = lists.get(server) ?? [];
    if (list) return [namedServer(list, lists.get(server) ?? [], placeOf)];
    const call = calls.get(server);
    if (!call) return [];
    const other = known.ofServer(server, call.client);
    const found = other ? heldList(other) : { held: undefined, estimation: estimationOf(call) };
    return [{ server, sessionId: pairs.get(call)?.session_id ?? call.session_id, ...found }];
  });
}

function heldList({ tokens, session }: SessionList): Pick<PresentServer, "held" | "estimation"> {
  return { held: [{ tokens, from: 0 }], estimation: session.estimation };
}

function namedServer(
  first: ToolListRecord,
  lists: readonly ToolListRecord[],
  placeOf: PresenceFacts["placeOf"],
): PresentServer {
  const isCounted = lists.some(({ tokens }) => tokens !== null);
  const held = lists.map(({ tokens, turn, until_turn: until }): HeldDefinitions => {
    const span = { tokens: tokens ?? 0, from: placeOf(turn) };
    return until === null ? span : { ...span, until: placeOf(until) };
  });
  return {
    server: first.server,
    sessionId: first.session_id,
    held: isCounted ? held : undefined,
    estimation: estimationOf(first),
  };
}
