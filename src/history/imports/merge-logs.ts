import { type LoggedCall, mergeCalls } from "./merge-calls.ts";
import {
  type BoundaryEvent,
  type ConversationEvent,
  type LoggedConversation,
  type EntryEvent,
  type LogEvent,
} from "./log-event.ts";
import { type LoggedRequest, mergeRequests } from "./merge-requests.ts";
import { convertRunningTotals, findUnloggedRequests } from "./requests-from-totals.ts";
import { type LoggedToolList, collectToolLists } from "./tool-lists.ts";

export type ReadLog = FileEvents & { readonly counts: FileCounts };

export type MergedLogs = {
  readonly filesRead: number;
  readonly counts: FileCounts;
  readonly conversations: ReadonlyMap<string, LoggedConversation>;
  readonly requests: readonly LoggedRequest[];
  readonly calls: readonly LoggedCall[];
  readonly rejected: readonly LoggedCall[];
  readonly unknownServerCalls: number;
  readonly boundaries: readonly BoundaryEvent[];
  readonly entries: readonly EntryEvent[];
  readonly toolLists: readonly LoggedToolList[];
};

export function mergeLogs(
  files: readonly ReadLog[],
  knownServers: readonly string[] = [],
): MergedLogs {
  const eventLists = files.map(({ events }) => events);
  const conversations = collectConversations(eventLists);
  const events = sortEvents(files, conversations);
  const { requests: messageRequests, copies } = mergeRequests(
    events.filter((event) => event.kind === "request"),
  );
  const requests = [...messageRequests, ...convertRunningTotals(eventLists, conversations)];
  // A main conversation with copied requests is a fork, even if the log does not say so.
  for (const { conversation, original } of copies) {
    const copy = conversations.get(conversation);
    if (copy?.role !== "main" || conversations.get(original)?.role === "subagent") continue;
    copy.role = "fork";
    copy.parent ??= original;
  }
  const { calls: mergedCalls, unknownServerCalls } = mergeCalls(events, knownServers);
  const findStart = (id: string): number | null => conversations.get(id)?.beganAt ?? null;
  for (const request of requests) request.at ??= findStart(request.conversation);
  const calls = mergedCalls.map((call) =>
    call.at === null ? { ...call, at: findStart(call.conversation) } : call,
  );
  const unlogged = findUnloggedRequests({ events, conversations, requests });
  return {
    filesRead: files.length,
    counts: files.map(({ counts }) => counts).reduce(addFileCounts, noFileCounts),
    conversations,
    requests: [...requests, ...unlogged],
    calls: calls.filter((call) => !isRejected(call)),
    rejected: calls.filter(isRejected),
    unknownServerCalls,
    boundaries: dropCopiedLines(events.filter((event) => event.kind === "boundary")),
    entries: dropCopiedLines(events.filter((event) => event.kind === "entry")),
    toolLists: collectToolLists(events, knownServers),
  };
}

export function collectConversations(
  files: readonly (readonly LogEvent[])[],
): Map<string, LoggedConversation> {
  const conversations = new Map<string, LoggedConversation>();
  for (const events of files) {
    for (const event of events) {
      const conversation =
        conversations.get(event.conversation) ?? makeLoggedConversation(event.conversation);
      conversations.set(event.conversation, conversation);
      if (event.at !== null && event.at < (conversation.beganAt ?? Infinity)) {
        conversation.beganAt = event.at;
      }
      if (event.kind === "conversation") updateConversation(conversation, event);
    }
  }
  return conversations;
}

function makeLoggedConversation(id: string): LoggedConversation {
  return {
    id,
    session: id,
    role: "main",
    parent: null,
    clientVersion: null,
    project: null,
    projectName: null,
    isApproximate: false,
    isLoggedChild: false,
    beganAt: null,
  };
}

function updateConversation(conversation: LoggedConversation, event: ConversationEvent): void {
  conversation.session = event.session;
  if (event.role !== null) conversation.role = event.role;
  conversation.isLoggedChild ||= event.role !== null && event.role !== "main";
  conversation.parent ??= event.parent;
  conversation.clientVersion ??= event.clientVersion;
  conversation.project ??= event.project;
  conversation.projectName ??= event.projectName ?? null;
  conversation.isApproximate ||= event.isApproximate === true;
}

function dropCopiedLines<Event extends BoundaryEvent | EntryEvent>(
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
  // A database replaces older files about the same sessions.
  readonly isDatabase?: boolean;
};

// Puts originals before copies: main conversations first, then forks, sub-agents and side chains.
function sortEvents(
  files: readonly FileEvents[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): readonly LogEvent[] {
  const [first] = files;
  const isOneConversation = files.length === 1 && conversations.size === 1;
  if (first && isOneConversation && !first.events.some(isSideChain)) return first.events;
  const ranks = rankConversations([...conversations.values()]);
  // Puts short files first: the longer of two copies of a file is newer. If two events are about one message, the first
  // event wins. But if two totals are of one session, the last total wins.
  const sorted = files.toSorted((a, b) => a.events.length - b.events.length);
  const databases = sorted.filter(({ isDatabase }) => isDatabase === true);
  const others = sorted.filter(({ isDatabase }) => isDatabase !== true);
  const newestTotals = others.length === 0 ? [] : databases.map(keepTotals);
  const byRank = new Map<number, LogEvent[]>();
  for (const { events } of [...databases, ...others, ...newestTotals]) {
    for (const event of events) {
      const rank = rankEvent(event, ranks);
      const sameRank = byRank.get(rank);
      if (sameRank) sameRank.push(event);
      else byRank.set(rank, [event]);
    }
  }
  return [...byRank].toSorted(([a], [b]) => a - b).flatMap(([, events]) => events);
}

function keepTotals({ events }: FileEvents): FileEvents {
  return { events: events.filter((event) => event.kind === "session_total") };
}

const rolesInOrder = ["main", "fork", "subagent"];

function rankConversations(
  conversations: readonly LoggedConversation[],
): ReadonlyMap<string, number> {
  const sorted = conversations.toSorted(
    (a, b) =>
      rolesInOrder.indexOf(a.role) - rolesInOrder.indexOf(b.role) ||
      (a.beganAt ?? Infinity) - (b.beganAt ?? Infinity) ||
      (a.id < b.id ? -1 : 1),
  );
  return new Map(sorted.map(({ id }, rank) => [id, rank]));
}

function rankEvent(event: LogEvent, ranks: ReadonlyMap<string, number>): number {
  return (ranks.get(event.conversation) ?? 0) + (isSideChain(event) ? ranks.size : 0);
}

function isSideChain(event: LogEvent): boolean {
  return "isSideChain" in event && event.isSideChain;
}

export type FileCounts = {
  readonly bad: number;
  // Unfinished last lines.
  readonly torn: number;
  readonly unknown: number;
};

export const noFileCounts: FileCounts = { bad: 0, torn: 0, unknown: 0 };

function addFileCounts(a: FileCounts, b: FileCounts): FileCounts {
  return {
    bad: a.bad + b.bad,
    torn: a.torn + b.torn,
    unknown: a.unknown + b.unknown,
  };
}
