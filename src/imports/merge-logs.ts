import { type LoggedConversation, conversationsOf } from "./conversations.ts";
import { addFileCounts, type FileCounts, noFileCounts } from "./file-counts.ts";
import type { BoundaryEvent, EntryEvent, LogEvent, RequestEvent } from "./log-event.ts";
import { type LoggedCall, mergeCalls } from "./merge-calls.ts";
import { type LoggedRequest, mergeRequests } from "./merge-requests.ts";
import { resolveCounters } from "./resolve-counters.ts";
import { unloggedRequests } from "./unlogged-requests.ts";
import { type FileEvents, orderEvents } from "./order-events.ts";
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
