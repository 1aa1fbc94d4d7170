import { conversationsOf, type LoggedConversation } from "./conversations.ts";
import { addFileCounts, type FileCounts, noFileCounts } from "./file-counts.ts";
import type { BoundaryEvent, EntryEvent, LogEvent, RequestEvent } from "./log-event.ts";
import { type LoggedCall, mergeCalls } from "./merge-calls.ts";
import { type LoggedRequest, mergeRequests } from "./merge-requests.ts";
import { resolveCounters } from "./resolve-counters.ts";
import { unloggedRequests } from "./unlogged-requests.ts";
import { type LoggedToolList, toolLists } from "./tool-lists.ts";

export type ReadLog = FileEvents & { readonly counts: FileCounts };

export type MergedLogs = {
  readonly filesRead: number;
  readonly counts: FileCounts;
  readonly conversations: ReadonlyMap<string, LoggedConversation>;
  readonly requests: readonly LoggedRequest[];
  readonly calls: readonly LoggedCall[];
  readonly rejected: readonly LoggedCall[];
  readonly nameless: number;
  readonly boundaries: readonly BoundaryEvent[];
  readonly entries: readonly EntryEvent[];
  readonly toolLists: readonly LoggedToolList[];
};

/** Files may come in any order. */
export function mergeLogs(
  files: readonly ReadLog[],
  knownServers: readonly string[] = [],
): MergedLogs {
  const lists = files.map(({ events }) => events);
  const conversations = conversationsOf(lists);
  const events = orderEvents(files, conversations);
  const { requests: own, copies } = mergeRequests(events.filter(isRequest));
  const requests = [...own, ...resolveCounters(lists, conversations)];
  for (const { conversation, original } of copies) {
    const copy = conversations.get(conversation);
    if (copy?.role !== "main" || conversations.get(original)?.role === "subagent") continue;
    copy.role = "fork";
    copy.parent ??= original;
  }
  const { calls, nameless } = mergeCalls(events, knownServers);
  const unlogged = unloggedRequests({ events, conversations, requests });
  return {
    filesRead: files.length,
    counts: files.map(({ counts }) => counts).reduce(addFileCounts, noFileCounts),
    conversations,
    requests: [...requests, ...unlogged],
    calls: calls.filter((call) => !isRejected(call)),
    rejected: calls.filter(isRejected),
    nameless,
    boundaries: uniqueLines(events.filter((event) => event.kind === "boundary")),
    entries: uniqueLines(events.filter((event) => event.kind === "entry")),
    toolLists: toolLists(events, knownServers),
  };
}

function isRequest(event: LogEvent): event is RequestEvent {
  return event.kind === "request";
}

function uniqueLines<Event extends BoundaryEvent | EntryEvent>(
  events: readonly Event[],
): readonly Event[] {
  const lines = new Set<string>();
  return events.filter(({ line }) => {
    if (line === null) return true;
    const isCopy = lines.has(line);
    lines.add(line);
    return !isCopy;
  });
}

function isRejected({ outcome }: LoggedCall): boolean {
  return outcome === "denied" || outcome === "unknown_tool";
}

type FileEvents = {
  readonly events: readonly LogEvent[];
  /** Rows of a database come before older files about the same messages. */
  readonly isDatabase?: boolean;
};

/** Puts an original before its copies, for any order of files: main conversations before forks and sub-agents, and each after those that began earlier. */
function orderEvents(
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
