import type { PriceBook } from "#money/price-book.ts";
import { conversationCost } from "#money/turns/conversation-cost.ts";
import type { CallInTurns, ConversationCost } from "#money/turns/cost-parts.ts";
import type { ModelTurn, TurnCall } from "#money/turns/turn.ts";
import type { ImportedCallRecord, TurnRecord } from "#records/imported-record.ts";
import type { ImportedConversation } from "./imported-history.ts";

/** The part of a call that only the turns of its conversation have. */
export type LoggedCost = {
  /** Billionths of a dollar; null where the model of the turn that asked has no price, or none are wanted. */
  readonly nanoDollars: number | null;
  /** Tokens of all prompts after the first that were the answer or the arguments. */
  readonly carriedTokens: number;
  /** Prompts after the first that held the answer. */
  readonly rereads: number;
};

/** The costs of a conversation's calls by its turns. A call that stands in no turn has none. */
export function loggedCosts(
  conversation: ImportedConversation,
  prices: PriceBook | undefined,
): ReadonlyMap<ImportedCallRecord, LoggedCost> {
  const { cost, calls } = costedConversation(conversation, prices);
  return new Map(
    calls.map(({ call, isPriced }, index) => [call, costOf(cost.calls[index], isPriced)]),
  );
}

/** A conversation's cost by its parts, and the calls that stand in its turns, in the order of those parts. */
type CostedConversation = {
  readonly cost: ConversationCost;
  readonly calls: readonly { readonly call: ImportedCallRecord; readonly isPriced: boolean }[];
};

/** Costs a conversation. `definitions` are tokens by server; those of servers that it did not call are left out. */
export function costedConversation(
  conversation: ImportedConversation,
  prices: PriceBook | undefined,
  definitions: ReadonlyMap<string, number> = new Map(),
): CostedConversation {
  const records = [...conversation.turns.values()].toSorted(
    (one, other) => one.index - other.index,
  );
  const places = new Map(records.map(({ index }, place) => [index, place]));
  const turns = records.map((record) => modelTurn(record, prices));
  const calls = [...conversation.calls.values()].flatMap((call) => {
    const asked = call.turn === null ? undefined : places.get(call.turn);
    return asked === undefined ? [] : [{ call, place: turnCall(call, asked, places) }];
  });
  const servers = new Set([...conversation.calls.values()].map(({ server }) => server));
  const cost = conversationCost(
    turns,
    calls.map(({ place }) => place),
    [...servers].map((server) => ({ tokens: definitions.get(server) ?? 0, from: 0 })),
  );
  const isPriced = (asked: number): boolean => turns[asked]?.prices !== undefined;
  return {
    cost,
    calls: calls.map(({ call, place }) => ({ call, isPriced: isPriced(place.asked) })),
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
