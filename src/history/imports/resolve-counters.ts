import type { LoggedConversation } from "./conversations.ts";
import type { CounterEvent, LogEvent } from "./log-event.ts";
import { isNoUsage, joinUsage, type LoggedUsage, noUsage } from "./logged-usage.ts";
import { type LoggedRequest, loggedRequest } from "./merge-requests.ts";
import { firstNotBefore } from "./turns/place.ts";

/**
 * A counter is written again without a request, and falls when it begins again; a conversation that continues another
 * one begins with a copy of its counters, or with the last one. Counters after its first own request are left out.
 */
export function resolveCounters(
  files: readonly (readonly LogEvent[])[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): LoggedRequest[] {
  const counters = countersByConversation(files);
  return [...counters].flatMap(([id, its]) => {
    const conversation = conversations.get(id);
    const parent = conversation?.parent ?? null;
    if (!conversation || parent === null) return requestsAfter(its, noUsage);
    const inherited = counters.get(parent);
    if (inherited) return requestsOfChild(its, inherited);
    conversation.isApproximate = true;
    const own = its.filter(({ isEarly }) => !isEarly);
    const before = its.findLast(({ isEarly }) => isEarly)?.total;
    return before ? requestsAfter(own, before) : requestsWithoutCopy(own);
  });
}

function countersByConversation(
  files: readonly (readonly LogEvent[])[],
): ReadonlyMap<string, readonly CounterEvent[]> {
  const found = new Map<string, readonly CounterEvent[]>();
  for (const events of files) {
    if (!events.some(({ kind }) => kind === "counter")) continue;
    for (const [id, its] of Map.groupBy(events, ({ conversation }) => conversation)) {
      const first = its.findIndex(({ kind }) => kind === "request");
      const counters = its
        .slice(0, first < 0 ? its.length : first)
        .filter((event) => event.kind === "counter");
      if (counters.length > (found.get(id)?.length ?? 0)) found.set(id, counters);
    }
  }
  return found;
}

function requestsOfChild(
  counters: readonly CounterEvent[],
  inherited: readonly CounterEvent[],
): LoggedRequest[] {
  const turns = new Set(inherited.map(({ turn }) => turn));
  const places = Map.groupBy(inherited.keys(), (index) => keyOf(inherited[index]?.total));
  let at = 0;
  let parentAt = 0;
  for (; at < counters.length; at += 1) {
    const counter = counters[at];
    if (!counter) break;
    const isOfParent = counter.turn === null || turns.has(counter.turn);
    const equal = (isOfParent && places.get(keyOf(counter.total))) || [];
    const found = equal[firstNotBefore(equal, parentAt)];
    if (found === undefined && !isBaseline(counter)) break;
    if (found !== undefined) parentAt = found + 1;
  }
  const copied = counters[at - 1]?.total;
  const own = counters.slice(at);
  return copied ? requestsAfter(own, copied) : requestsWithoutCopy(own);
}

/** A child that copies nothing counts from 0, or on from its parent's count: only the first request alone is certainly its own. */
function requestsWithoutCopy(own: readonly CounterEvent[]): LoggedRequest[] {
  const [first, ...rest] = own;
  if (!first) return [];
  const usage = first.last ?? noUsage;
  const requests = isNoUsage(usage) ? [] : [loggedRequest(first, usage)];
  return [...requests, ...requestsAfter(rest, first.total)];
}

function requestsAfter(counters: readonly CounterEvent[], before: LoggedUsage): LoggedRequest[] {
  const requests: LoggedRequest[] = [];
  let previous = before;
  for (const counter of counters) {
    const { total, last } = counter;
    const usage = isFallen(total, previous)
      ? (last ?? total)
      : joinUsage(total, previous, (a, b) => Math.max(0, a - b));
    previous = total;
    if (!isNoUsage(usage)) requests.push(loggedRequest(counter, usage));
  }
  return requests;
}

/** A total whose request is nothing only says where the counter is. */
function isBaseline({ total, last }: CounterEvent): boolean {
  return last !== null && isNoUsage(last) && !isNoUsage(total);
}

function isFallen(total: LoggedUsage, previous: LoggedUsage): boolean {
  return parts(total).some((tokens, index) => tokens < (parts(previous)[index] ?? 0));
}

function keyOf(usage: LoggedUsage = noUsage): string {
  return parts(usage).join(" ");
}

function parts(usage: LoggedUsage): readonly number[] {
  const written = usage.cacheWrite5m + usage.cacheWrite1h;
  const input = usage.uncached + usage.cacheRead + written;
  return [input, usage.cacheRead, usage.output, usage.reasoning];
}
