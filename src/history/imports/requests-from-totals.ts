import {
  pickEarliest,
  type LogEvent,
  type SessionTotalEvent,
  addUsage,
  isEmptyUsage,
  joinUsage,
  maximizeUsage,
  type LoggedUsage,
  noUsage,
  subtractUsage,
  type RunningTotalEvent,
  type LoggedConversation,
} from "./log-event.ts";
import { type LoggedRequest, makeLoggedRequest } from "./merge-requests.ts";
import { findFirstNotBefore } from "./conversation-turns.ts";

// A session begins at most 10 s after its `startMs`, except a fork, which keeps its parent's `startMs`.
export const sessionStartMaxMs = 10_000;

type NamedUsage = readonly [model: string, usage: LoggedUsage];

type UsageByModel = ReadonlyMap<string, LoggedUsage>;

type MergedEvents = {
  // Originals precede copies.
  readonly events: readonly LogEvent[];
  readonly conversations: ReadonlyMap<string, LoggedConversation>;
  readonly requests: readonly LoggedRequest[];
};

// Some clients log no requests, or none for compactions, but their session's total includes the usage of all requests.
// A returned request may stand for several. Its `count` covers only logged compactions, because the number of other
// requests is unknown.
export function findUnloggedRequests({
  events,
  conversations,
  requests,
}: MergedEvents): LoggedRequest[] {
  const totals = groupTotals(events);
  const compactionTimes = groupCompactions(events);
  const logged = Map.groupBy(
    requests,
    ({ conversation }) => conversations.get(conversation)?.session ?? conversation,
  );
  return [...totals].flatMap(([session, group]) => {
    const last = group.at(-1);
    if (!last) return [];
    const sessionRequests = logged.get(session) ?? [];
    const relatives = findRelatives(session, last, { totals, conversations });
    const began = findFirstTime(sessionRequests);
    const usageBefore = relatives.flatMap((relative) => [
      ...findUsageBefore(began, totals.get(relative) ?? [], logged.get(relative) ?? []),
    ]);
    const remainder = subtractLogged(indexByModel(last), [
      ...listUsage(sessionRequests),
      // The largest usage per model, because relatives share their beginning: a sum would count it twice.
      ...combineByModel(usageBefore, maximizeUsage),
    ]);
    return makeUnlogged(remainder, session, compactionTimes.get(session) ?? [], last);
  });
}

// Finds the other sessions that this session's total may include.
function findRelatives(
  session: string,
  { startMs = null }: SessionTotalEvent,
  {
    totals,
    conversations,
  }: Pick<MergedEvents, "conversations"> & {
    readonly totals: ReadonlyMap<string, readonly SessionTotalEvent[]>;
  },
): readonly string[] {
  const parent = conversations.get(session)?.parent ?? null;
  if (startMs === null) return parent === null || parent === session ? [] : [parent];
  const sameStart = [...totals]
    .filter(([, group]) => group.at(-1)?.startMs === startMs)
    .map(([relative]) => relative);
  // A session that began soon after `startMs` and logged no total may be the parent.
  const unfinished = [...conversations.values()]
    .filter(({ id, beganAt }) => !totals.has(id) && isSoonAfter(startMs, beganAt))
    .map(({ id }) => id);
  const relatives = new Set([...(parent === null ? [] : [parent]), ...sameStart, ...unfinished]);
  relatives.delete(session);
  return [...relatives];
}

function isSoonAfter(startMs: number, at: number | null): boolean {
  return at !== null && startMs <= at && at <= startMs + sessionStartMaxMs;
}

function findUsageBefore(
  time: number,
  totals: readonly SessionTotalEvent[],
  requests: readonly LoggedRequest[],
): UsageByModel {
  const total = totals.findLast(({ at }) => at !== null && at <= time);
  const earlier = requests.filter(({ at }) => at !== null && at < time);
  const sums = combineByModel(listUsage(earlier), addUsage);
  return combineByModel([...(total ? indexByModel(total) : []), ...sums], maximizeUsage);
}

function combineByModel(
  usages: readonly NamedUsage[],
  combine: (a: LoggedUsage, b: LoggedUsage) => LoggedUsage,
): UsageByModel {
  const byModel = new Map<string, LoggedUsage>();
  for (const [model, usage] of usages) {
    byModel.set(model, combine(byModel.get(model) ?? noUsage, usage));
  }
  return byModel;
}

function groupTotals(events: readonly LogEvent[]): Map<string, SessionTotalEvent[]> {
  const totals = events.filter((event) => event.kind === "session_total");
  return Map.groupBy(totals, ({ conversation }) => conversation);
}

// A compaction and its copies have the same `line`.
function groupCompactions(
  events: readonly LogEvent[],
): ReadonlyMap<string, readonly (number | null)[]> {
  const lines = new Set<string>();
  const bySession = new Map<string, (number | null)[]>();
  for (const event of events) {
    if (event.kind !== "boundary" || event.reason !== "compaction") continue;
    if (event.line !== null && lines.has(event.line)) continue;
    if (event.line !== null) lines.add(event.line);
    const times = bySession.get(event.conversation) ?? [];
    times.push(event.at);
    bySession.set(event.conversation, times);
  }
  return bySession;
}

function findFirstTime(requests: readonly LoggedRequest[]): number {
  const times = requests.map(({ at }) => at);
  return times.reduce(pickEarliest, null) ?? Infinity;
}

function indexByModel({ models }: SessionTotalEvent): UsageByModel {
  return new Map(models.map(({ model, usage }) => [model, usage]));
}

function listUsage(requests: readonly LoggedRequest[]): readonly NamedUsage[] {
  return requests.map(({ model, usage }) => [model ?? "", usage] as const);
}

// A total and a request may name the same model differently. So the remainder of one model is limited to the
// remainder of all models together.
function subtractLogged(total: UsageByModel, logged: readonly NamedUsage[]): readonly NamedUsage[] {
  const byModel = combineByModel(logged, addUsage);
  const sum = [...total.values()].reduce(addUsage, noUsage);
  let remaining = subtractUsage(sum, [...byModel.values()].reduce(addUsage, noUsage));
  return [...total].flatMap(([model, usage]) => {
    const difference = subtractUsage(usage, byModel.get(model) ?? noUsage);
    const remainder = joinUsage(difference, remaining, Math.min);
    remaining = subtractUsage(remaining, remainder);
    return isEmptyUsage(remainder) ? [] : [[model, remainder] as const];
  });
}

function makeUnlogged(
  remainder: readonly NamedUsage[],
  session: string,
  compactions: readonly (number | null)[],
  last: SessionTotalEvent,
): LoggedRequest[] {
  const at = compactions[0] ?? last.at;
  return remainder.map(([model, usage], index) => ({
    ...makeLoggedRequest({ at, conversation: session, model }, usage),
    count: index === 0 ? compactions.length : 0,
    isLogged: false,
  }));
}

// Derives each request from the difference of two running totals. A client may repeat or reset its total,
// and a continued conversation starts from the total of its parent.
export function convertRunningTotals(
  files: readonly (readonly LogEvent[])[],
  conversations: ReadonlyMap<string, LoggedConversation>,
): LoggedRequest[] {
  const totals = groupRunningTotals(files);
  return [...totals].flatMap(([id, group]) => {
    const conversation = conversations.get(id);
    const parent = conversation?.parent ?? null;
    if (!conversation || parent === null) return deriveRequests(group, noUsage);
    const parentTotals = totals.get(parent);
    if (parentTotals) return deriveChildRequests(group, parentTotals);
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
      // Totals after the first logged request are ignored: from there, the client logs each request.
      const firstRequest = group.findIndex(({ kind }) => kind === "request");
      const totals = group
        .slice(0, firstRequest < 0 ? group.length : firstRequest)
        .filter((event) => event.kind === "running_total");
      if (totals.length > (byConversation.get(id)?.length ?? 0)) byConversation.set(id, totals);
    }
  }
  return byConversation;
}

function deriveChildRequests(
  totals: readonly RunningTotalEvent[],
  parentTotals: readonly RunningTotalEvent[],
): LoggedRequest[] {
  const parentTurns = new Set(parentTotals.map(({ turn }) => turn));
  const indicesByTotal = Map.groupBy(parentTotals.keys(), (index) =>
    makeKey(parentTotals[index]?.total),
  );
  // The number of totals before the child's first request.
  let copiedCount = 0;
  let parentIndex = 0;
  for (; copiedCount < totals.length; copiedCount += 1) {
    const event = totals[copiedCount];
    if (!event) break;
    const isFromParent = event.turn === null || parentTurns.has(event.turn);
    const indicesOfEqual = (isFromParent && indicesByTotal.get(makeKey(event.total))) || [];
    const index = indicesOfEqual[findFirstNotBefore(indicesOfEqual, parentIndex)];
    if (index === undefined && !isBaseline(event)) break;
    if (index !== undefined) parentIndex = index + 1;
  }
  const copiedTotal = totals[copiedCount - 1]?.total;
  const newTotals = totals.slice(copiedCount);
  return copiedTotal ? deriveRequests(newTotals, copiedTotal) : deriveUncopiedRequests(newTotals);
}

// The first total may include the parent's usage, so only the last request in it is surely the child's.
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

// A baseline contains only earlier usage: the total is not empty, although its last request used no tokens.
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
