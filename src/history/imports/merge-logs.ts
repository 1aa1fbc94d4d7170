import {
  collectConversations,
  type LoggedConversation,
  type LoggedCall,
  mergeCalls,
} from "./merge-calls.ts";
import {
  type BoundaryEvent,
  type EntryEvent,
  type LogEvent,
  type RequestEvent,
  type RunningTotalEvent,
  isEmptyUsage,
  joinUsage,
  type LoggedUsage,
  noUsage,
} from "./log-event.ts";
import { type LoggedRequest, mergeRequests, makeLoggedRequest } from "./merge-requests.ts";
import { findUnloggedRequests } from "./unlogged-requests.ts";
import { type LoggedToolList, collectToolLists } from "./tool-lists.ts";
import { findFirstNotBefore } from "./conversation-turns.ts";

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

export function mergeLogs(
  files: readonly ReadLog[],
  knownServers: readonly string[] = [],
): MergedLogs {
  const lists = files.map(({ events }) => events);
  const conversations = collectConversations(lists);
  const events = sortEvents(files, conversations);
  const { requests: ownRequests, copies } = mergeRequests(events.filter(isRequest));
  const requests = [...ownRequests, ...convertRunningTotals(lists, conversations)];
  for (const { conversation, original } of copies) {
    const copy = conversations.get(conversation);
    if (copy?.role !== "main" || conversations.get(original)?.role === "subagent") continue;
    copy.role = "fork";
    copy.parent ??= original;
  }
  const { calls, nameless } = mergeCalls(events, knownServers);
  const unlogged = findUnloggedRequests({ events, conversations, requests });
  return {
    filesRead: files.length,
    counts: files.map(({ counts }) => counts).reduce(addFileCounts, noFileCounts),
    conversations,
    requests: [...requests, ...unlogged],
    calls: calls.filter((call) => !isRejected(call)),
    rejected: calls.filter(isRejected),
    nameless,
    boundaries: dropCopiedLines(events.filter((event) => event.kind === "boundary")),
    entries: dropCopiedLines(events.filter((event) => event.kind === "entry")),
    toolLists: collectToolLists(events, knownServers),
  };
}

function isRequest(event: LogEvent): event is RequestEvent {
  return event.kind === "request";
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
  // Database rows take precedence over older files about the same messages.
  readonly isDatabase?: boolean;
};

// Puts originals before copies; the order of files does not matter.
function sortEvents(
  files: readonly FileEvents[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): readonly LogEvent[] {
  const ranks = rankConversations([...conversations.values()]);
  // Of two copies of a file, the longer one is applied last.
  const sorted = files.toSorted(
    (a, b) =>
      Number(b.isDatabase === true) - Number(a.isDatabase === true) ||
      a.events.length - b.events.length,
  );
  const byRank = new Map<number, LogEvent[]>();
  for (const { events } of sorted) {
    for (const event of events) {
      const rank = rankEvent(event, ranks);
      const sameRank = byRank.get(rank);
      if (sameRank) sameRank.push(event);
      else byRank.set(rank, [event]);
    }
  }
  return [...byRank].toSorted(([a], [b]) => a - b).flatMap(([, events]) => events);
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
  const isSideChain = "isSideChain" in event && event.isSideChain;
  return (ranks.get(event.conversation) ?? 0) + (isSideChain ? ranks.size : 0);
}

/** Clients rewrite and reset counters; a continued conversation begins with its parent's. */
export function convertRunningTotals(
  files: readonly (readonly LogEvent[])[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): LoggedRequest[] {
  const counters = groupRunningTotals(files);
  return [...counters].flatMap(([id, group]) => {
    const conversation = conversations.get(id);
    const parent = conversation?.parent ?? null;
    if (!conversation || parent === null) return deriveRequests(group, noUsage);
    const inherited = counters.get(parent);
    if (inherited) return deriveChildRequests(group, inherited);
    conversation.isApproximate = true;
    const ownCounters = group.filter(({ isEarly }) => !isEarly);
    const before = group.findLast(({ isEarly }) => isEarly)?.total;
    return before ? deriveRequests(ownCounters, before) : deriveUncopiedRequests(ownCounters);
  });
}

function groupRunningTotals(
  files: readonly (readonly LogEvent[])[],
): ReadonlyMap<string, readonly RunningTotalEvent[]> {
  const byConversation = new Map<string, readonly RunningTotalEvent[]>();
  for (const events of files) {
    if (!events.some(({ kind }) => kind === "counter")) continue;
    for (const [id, group] of Map.groupBy(events, ({ conversation }) => conversation)) {
      const first = group.findIndex(({ kind }) => kind === "request");
      const counters = group
        .slice(0, first < 0 ? group.length : first)
        .filter((event) => event.kind === "counter");
      if (counters.length > (byConversation.get(id)?.length ?? 0)) byConversation.set(id, counters);
    }
  }
  return byConversation;
}

function deriveChildRequests(
  counters: readonly RunningTotalEvent[],
  inherited: readonly RunningTotalEvent[],
): LoggedRequest[] {
  const turns = new Set(inherited.map(({ turn }) => turn));
  const indicesByTotal = Map.groupBy(inherited.keys(), (index) => makeKey(inherited[index]?.total));
  let copied = 0;
  let parentIndex = 0;
  for (; copied < counters.length; copied += 1) {
    const counter = counters[copied];
    if (!counter) break;
    const isFromParent = counter.turn === null || turns.has(counter.turn);
    const indicesOfEqual = (isFromParent && indicesByTotal.get(makeKey(counter.total))) || [];
    const index = indicesOfEqual[findFirstNotBefore(indicesOfEqual, parentIndex)];
    if (index === undefined && !isBaseline(counter)) break;
    if (index !== undefined) parentIndex = index + 1;
  }
  const copiedTotal = counters[copied - 1]?.total;
  const ownCounters = counters.slice(copied);
  return copiedTotal
    ? deriveRequests(ownCounters, copiedTotal)
    : deriveUncopiedRequests(ownCounters);
}

// The first counter may start at 0 or the parent's value: only its last request is the child's.
function deriveUncopiedRequests(counters: readonly RunningTotalEvent[]): LoggedRequest[] {
  const [first, ...later] = counters;
  if (!first) return [];
  const usage = first.last ?? noUsage;
  const requests = isEmptyUsage(usage) ? [] : [makeLoggedRequest(first, usage)];
  return [...requests, ...deriveRequests(later, first.total)];
}

function deriveRequests(
  counters: readonly RunningTotalEvent[],
  before: LoggedUsage,
): LoggedRequest[] {
  const requests: LoggedRequest[] = [];
  let previous = before;
  for (const counter of counters) {
    const { total, last } = counter;
    const usage = hasFallen(total, previous)
      ? (last ?? total)
      : joinUsage(total, previous, (a, b) => Math.max(0, a - b));
    previous = total;
    if (!isEmptyUsage(usage)) requests.push(makeLoggedRequest(counter, usage));
  }
  return requests;
}

// A total with an empty last request only states where the counter starts.
function isBaseline({ total, last }: RunningTotalEvent): boolean {
  return last !== null && isEmptyUsage(last) && !isEmptyUsage(total);
}

function hasFallen(total: LoggedUsage, previous: LoggedUsage): boolean {
  return listTokens(total).some((tokens, index) => tokens < (listTokens(previous)[index] ?? 0));
}

function makeKey(usage: LoggedUsage = noUsage): string {
  return listTokens(usage).join(" ");
}

function listTokens(usage: LoggedUsage): readonly number[] {
  const written = usage.cacheWrite5m + usage.cacheWrite1h;
  const input = usage.uncached + usage.cacheRead + written;
  return [input, usage.cacheRead, usage.output, usage.reasoning];
}

export type FileCounts = {
  readonly bad: number;
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
