import { ConversationAccount } from "./conversation-account.ts";
import type { ConversationCost, HeldDefinitions } from "./cost-parts.ts";
import type { ModelTurn, TurnCall } from "./turn.ts";
import { promptTokens } from "./turn-prices.ts";

export function conversationCost(
  turns: readonly ModelTurn[],
  calls: readonly TurnCall[],
  definitions: readonly HeldDefinitions[] = [],
): ConversationCost {
  const account = new ConversationAccount(calls, definitions);
  const aside = asideTurns(turns);
  for (const [index, turn] of turns.entries()) account.take(turn, aside.has(index));
  return account.close();
}

/** Such as for a title: the prompt falls and is as large as before in the next turn. They hold nothing of the conversation. */
function asideTurns(turns: readonly ModelTurn[]): ReadonlySet<number> {
  const aside = new Set<number>();
  let last = 0;
  for (const [index, { usage, startsOver }] of turns.entries()) {
    const size = promptTokens(usage);
    const next = turns[index + 1];
    const returns = next && !next.startsOver && promptTokens(next.usage) >= last;
    if (!startsOver && size < last && returns === true) aside.add(index);
    else last = size;
  }
  return aside;
}
