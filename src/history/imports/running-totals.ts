import type { LoggedConversation } from "./collect-conversations.ts";
import {
  type LogEvent,
  type RunningTotalEvent,
  isEmptyUsage,
  type LoggedUsage,
  noUsage,
  subtractUsage,
} from "./log-event.ts";
import { type LoggedRequest, makeLoggedRequest } from "./merge-requests.ts";
import { findFirstNotBefore } from "./conversation-turns.ts";

// Clients rewrite and reset their totals; a continued conversation begins with its parent's.
export function convertRunningTotals(
  files: readonly (readonly LogEvent[])[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): LoggedRequest[] {
  const totals = groupRunningTotals(files);
  return [...totals].flatMap(([id, group]) => {
    const conversation = conversations.get(id);
    const parent = conversation?.parent ?? null;
    if (!conversation || parent === null) return deriveRequests(group, noUsage);
    const inherited = totals.get(parent);
    if (inherited) return deriveChildRequests(group, inherited);
    conversation.isApproximate = true;
    const newTotals = group.filter(({ isEarly }) => !isEarly);
    const before = group.findLast(({ isEarly }) => isEarly)?.total;
    return before ? deriveRequests(newTotals, before) : deriveUncopiedRequests(newTotals);
  });
}

function groupRunningTotals(
  files: readonly (readonly LogEvent[])[],
): ReadonlyMap<string, readonly RunningTotalEvent[]> {
  const byConversation = new Map<string, readonly RunningTotalEvent[]>();
  for (const events of files) {
    if (!events.some(({ kind }) => kind === "running_total")) continue;
    for (const [id, group] of Map.groupBy(events, ({ conversation }) => conversation)) {
      const first = group.findIndex(({ kind }) => kind === "request");
      const totals = group
        .slice(0, first < 0 ? group.length : first)
        .filter((event) => event.kind === "running_total");
      if (totals.length > (byConversation.get(id)?.length ?? 0)) byConversation.set(id, totals);
    }
  }
  return byConversation;
}

function deriveChildRequests(
  totals: readonly RunningTotalEvent[],
  inherited: readonly RunningTotalEvent[],
): LoggedRequest[] {
  const turns = new Set(inherited.map(({ turn }) => turn));
  const indicesByTotal = Map.groupBy(inherited.keys(), (index) => makeKey(inherited[index]?.total));
  let copied = 0;
  let parentIndex = 0;
  for (; copied < totals.length; copied += 1) {
    const event = totals[copied];
    if (!event) break;
    const isFromParent = event.turn === null || turns.has(event.turn);
    const indicesOfEqual = (isFromParent && indicesByTotal.get(makeKey(event.total))) || [];
    const index = indicesOfEqual[findFirstNotBefore(indicesOfEqual, parentIndex)];
    if (index === undefined && !isBaseline(event)) break;
    if (index !== undefined) parentIndex = index + 1;
  }
  const copiedTotal = totals[copied - 1]?.total;
  const newTotals = totals.slice(copied);
  return copiedTotal ? deriveRequests(newTotals, copiedTotal) : deriveUncopiedRequests(newTotals);
}

// The first total may start at 0 or at the parent's: only its last request is the child's.
function deriveUncopiedRequests(totals: readonly RunningTotalEvent[]): LoggedRequest[] {
  const [first, ...later] = totals;
  if (!first) return [];
  const usage = first.last ?? noUsage;
  const requests = isEmptyUsage(usage) ? [] : [makeLoggedRequest(first, usage)];
  return [...requests, ...deriveRequests(later, first.total)];
}

function deriveRequests(
  totals: readonly RunningTotalEvent[],
  before: LoggedUsage,
): LoggedRequest[] {
  const requests: LoggedRequest[] = [];
  let previous = before;
  for (const event of totals) {
    const { total, last } = event;
    const usage = hasFallen(total, previous) ? (last ?? total) : subtractUsage(total, previous);
    previous = total;
    if (!isEmptyUsage(usage)) requests.push(makeLoggedRequest(event, usage));
  }
  return requests;
}

// A total with an empty last request only states where the sum starts.
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
