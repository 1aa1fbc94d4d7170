import type { PriceBook } from "#money/price-book.ts";
import { listMethod } from "../call-kinds.ts";
import type { TimeRange } from "../time-range.ts";
import type { UsageFact } from "../usage-fact.ts";
import type { ImportedConversation, ImportedHistory } from "./imported-history.ts";
import { costedConversation } from "./logged-cost.ts";

/** The list price of conversations by its parts, which add up to the whole. In billionths of a dollar. */
export type ConversationTotals = {
  readonly conversations: number;
  readonly whole: number;
  readonly calls: number;
  /** Of servers that were called, as far as records of the wire have their definitions. */
  readonly definitions: number;
  /** Everything else: prompts of the user and the client, other tools, text of the model. */
  readonly other: number;
  /** Turns of models without a price, which are in no part. */
  readonly unpricedTurns: number;
};

/** The totals of the conversations with a call in a period; undefined without any. */
export function conversationTotals(
  history: ImportedHistory,
  facts: readonly UsageFact[],
  { range, prices }: { readonly range: TimeRange; readonly prices: PriceBook },
): ConversationTotals | undefined {
  const definitions = definitionTokens(facts);
  const found = [...history.conversations.values()].filter((one) => isIn(one, range));
  if (found.length === 0) return undefined;
  const totals = { conversations: found.length, whole: 0, calls: 0, definitions: 0, other: 0 };
  let unpricedTurns = 0;
  for (const conversation of found) {
    const { cost } = costedConversation(conversation, prices, definitions);
    totals.whole += cost.whole;
    totals.other += cost.other;
    for (const { written, first, carried } of cost.calls) totals.calls += written + first + carried;
    for (const rent of cost.rents.flatMap((periods) => [...periods.values()])) {
      totals.definitions += rent.cost;
    }
    unpricedTurns += cost.unpricedTurns;
  }
  return { ...totals, unpricedTurns };
}

function isIn({ calls }: ImportedConversation, { fromMs, toMs }: TimeRange): boolean {
  return [...calls.values()].some(({ ts }) => {
    const ms = Date.parse(ts);
    return ms >= fromMs && ms < toMs;
  });
}

/** Tokens of each server's definitions in the context of an average session. */
function definitionTokens(facts: readonly UsageFact[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { lists: number; tokens: number }>();
  for (const { server, method, sums: its } of facts) {
    if (method !== listMethod || its.definition_lists === 0) continue;
    const known = sums.get(server) ?? { lists: 0, tokens: 0 };
    sums.set(server, {
      lists: known.lists + its.definition_lists,
      tokens: known.tokens + its.resident_tokens,
    });
  }
  return new Map(
    [...sums].map(([server, { lists, tokens }]) => [server, Math.round(tokens / lists)]),
  );
}
