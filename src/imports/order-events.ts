import type { LoggedConversation } from "./conversations.ts";
import type { LogEvent } from "./log-event.ts";

export type FileEvents = {
  readonly events: readonly LogEvent[];
  /** Rows of a database come before older files about the same messages. */
  readonly isDatabase?: boolean;
};

/**
 * Puts an original before its copies, for any order of files: main conversations before forks and sub-agents,
 * and each after those that began earlier.
 */
export function orderEvents(
  files: readonly FileEvents[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): readonly LogEvent[] {
  const ranks = ranksOf([...conversations.values()]);
  // Two copies of a file may differ in length: the longer one has the last word.
  const sorted = files.toSorted(
    (one, other) =>
      Number(other.isDatabase === true) - Number(one.isDatabase === true) ||
      one.events.length - other.events.length,
  );
  const byRank = new Map<number, LogEvent[]>();
  for (const { events } of sorted) {
    for (const event of events) {
      const rank = rankOf(event, ranks);
      const its = byRank.get(rank);
      if (its) its.push(event);
      else byRank.set(rank, [event]);
    }
  }
  return [...byRank].toSorted(([one], [other]) => one - other).flatMap(([, events]) => events);
}

const rolesInOrder = ["main", "fork", "subagent"];

function ranksOf(conversations: readonly LoggedConversation[]): ReadonlyMap<string, number> {
  const sorted = conversations.toSorted(
    (one, other) =>
      rolesInOrder.indexOf(one.role) - rolesInOrder.indexOf(other.role) ||
      (one.beganAt ?? Infinity) - (other.beganAt ?? Infinity) ||
      (one.id < other.id ? -1 : 1),
  );
  return new Map(sorted.map(({ id }, rank) => [id, rank]));
}

/** Side chains in the file of their parent come after all main conversations too. */
function rankOf(event: LogEvent, ranks: ReadonlyMap<string, number>): number {
  const isSideChain = "isSideChain" in event && event.isSideChain;
  return (ranks.get(event.conversation) ?? 0) + (isSideChain ? ranks.size : 0);
}
