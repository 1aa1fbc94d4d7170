import { type LoggedConversation, conversationsOf } from "./conversations.ts";
import { addFileCounts, type FileCounts, noFileCounts } from "./file-counts.ts";
import type { BoundaryEvent, EntryEvent, LogEvent, RequestEvent } from "./log-event.ts";
import { type LoggedCall, mergeCalls } from "./merge-calls.ts";
import { type LoggedRequest, mergeRequests } from "./merge-requests.ts";
import { resolveCounters } from "./resolve-counters.ts";
import { unloggedRequests } from "./unlogged-requests.ts";
import { type FileEvents, orderEvents } from "./order-events.ts";
import { type LoggedToolList, toolLists } from "./tool-lists.ts";

/** One file that was read. */
export type ReadLog = FileEvents & { readonly counts: FileCounts };

/** The history of a client, each request and call once. */
export type MergedLogs = {
  readonly filesRead: number;
  readonly counts: FileCounts;
  readonly conversations: ReadonlyMap<string, LoggedConversation>;
  /** Those that the log has, then the rest of the client's own sums. */
  readonly requests: readonly LoggedRequest[];
  /** Calls that reached a server. */
  readonly calls: readonly LoggedCall[];
  /** Calls that the client rejected itself. */
  readonly rejected: readonly LoggedCall[];
  /** Calls whose names hold no known server. */
  readonly nameless: number;
  /** Where contexts started over. */
  readonly boundaries: readonly BoundaryEvent[];
  /** Everything that entered prompts besides the answers of servers. */
  readonly entries: readonly EntryEvent[];
  /** Tools that clients offer by their names alone. */
  readonly toolLists: readonly LoggedToolList[];
};

/** Merges the files of a client, in any order of files. */
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

/** The first of those with the same line. */
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
