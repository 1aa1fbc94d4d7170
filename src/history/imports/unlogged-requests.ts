import {
  earliestTime,
  type LogEvent,
  type SessionTotalEvent,
  addUsage,
  isNoUsage,
  joinUsage,
  largestUsage,
  type LoggedUsage,
  noUsage,
  usageBeyond,
} from "./log-event.ts";
import type { LoggedConversation } from "./merge-calls.ts";
import { type LoggedRequest, loggedRequest } from "./merge-requests.ts";

export const sessionStartMsMax = 10_000;

type ModelUsage = ReadonlyMap<string, LoggedUsage>;

type Merged = {
  /** An original is before its copies. */
  readonly events: readonly LogEvent[];
  readonly conversations: ReadonlyMap<string, LoggedConversation>;
  readonly requests: readonly LoggedRequest[];
};

/** Requests in the client's own sum that it does not log, such as compactions of Claude Code. Without a compaction, their number is unknown, and 0 here. */
export function unloggedRequests({ events, conversations, requests }: Merged): LoggedRequest[] {
  const totals = totalsBySession(events);
  const boundaries = boundariesBySession(events);
  const logged = Map.groupBy(
    requests,
    ({ conversation }) => conversations.get(conversation)?.session ?? conversation,
  );
  return [...totals].flatMap(([session, its]) => {
    const last = its.at(-1);
    if (!last) return [];
    const own = logged.get(session) ?? [];
    const relatives = relativesOf(session, last, { totals, conversations });
    const began = firstTime(own);
    const before = relatives.map((relative) =>
      usageBefore(began, totals.get(relative) ?? [], logged.get(relative) ?? []),
    );
    const rest = restOf(modelUsage(last), [...usageOfRequests(own), ...joined(before)]);
    return placed(rest, session, boundaries.get(session) ?? [], last);
  });
}

function relativesOf(
  session: string,
  { startMs = null }: SessionTotalEvent,
  {
    totals,
    conversations,
  }: Pick<Merged, "conversations"> & {
    readonly totals: ReadonlyMap<string, readonly SessionTotalEvent[]>;
  },
): readonly string[] {
  const parent = conversations.get(session)?.parent ?? null;
  if (startMs === null) return parent === null || parent === session ? [] : [parent];
  const together = [...totals]
    .filter(([, its]) => its.at(-1)?.startMs === startMs)
    .map(([other]) => other);
  // The log of a parent may be cut before its first sum: it began when the client began to add up.
  const unfinished = [...conversations.values()]
    .filter(({ id, beganAt }) => !totals.has(id) && isSoonAfter(startMs, beganAt))
    .map(({ id }) => id);
  const all = new Set([...(parent === null ? [] : [parent]), ...together, ...unfinished]);
  all.delete(session);
  return [...all];
}

function isSoonAfter(startMs: number, at: number | null): boolean {
  return at !== null && startMs <= at && at <= startMs + sessionStartMsMax;
}

/** Its own sum then, or its requests, whose log may be cut. */
function usageBefore(
  time: number,
  totals: readonly SessionTotalEvent[],
  requests: readonly LoggedRequest[],
): ModelUsage {
  const total = totals.findLast(({ at }) => at !== null && at <= time);
  const byModel = new Map(total ? modelUsage(total) : []);
  const earlier = requests.filter(({ at }) => at !== null && at < time);
  for (const [model, usage] of sumByModel(usageOfRequests(earlier))) {
    byModel.set(model, largestUsage(usage, byModel.get(model) ?? noUsage));
  }
  return byModel;
}

/** The largest of each model: a fork of a fork has the same beginning as both. */
function joined(usages: readonly ModelUsage[]): readonly (readonly [string, LoggedUsage])[] {
  const all = new Map<string, LoggedUsage>();
  for (const [model, usage] of usages.flatMap((one) => [...one])) {
    all.set(model, largestUsage(usage, all.get(model) ?? noUsage));
  }
  return [...all];
}

function sumByModel(parts: readonly (readonly [string, LoggedUsage])[]): ModelUsage {
  const sums = new Map<string, LoggedUsage>();
  for (const [model, usage] of parts) {
    sums.set(model, addUsage(sums.get(model) ?? noUsage, usage));
  }
  return sums;
}

function totalsBySession(events: readonly LogEvent[]): Map<string, SessionTotalEvent[]> {
  const totals = events.filter((event) => event.kind === "session_total");
  return Map.groupBy(totals, ({ conversation }) => conversation);
}

/** Copies of a compaction are the same line. */
function boundariesBySession(
  events: readonly LogEvent[],
): ReadonlyMap<string, readonly (number | null)[]> {
  const known = new Set<string>();
  const found = new Map<string, (number | null)[]>();
  for (const event of events) {
    if (event.kind !== "boundary" || event.why !== "compaction") continue;
    if (event.line !== null && known.has(event.line)) continue;
    if (event.line !== null) known.add(event.line);
    const times = found.get(event.conversation) ?? [];
    times.push(event.at);
    found.set(event.conversation, times);
  }
  return found;
}

function firstTime(requests: readonly LoggedRequest[]): number {
  const times = requests.map(({ at }) => at);
  return times.reduce(earliestTime, null) ?? Infinity;
}

function modelUsage({ models }: SessionTotalEvent): ModelUsage {
  return new Map(models.map(({ model, usage }) => [model, usage]));
}

function usageOfRequests(
  requests: readonly LoggedRequest[],
): readonly (readonly [string, LoggedUsage])[] {
  return requests.map(({ model, usage }) => [model ?? "", usage] as const);
}

/** A model may have two names, so the rest never exceeds that of all models together. */
function restOf(
  total: ModelUsage,
  parts: readonly (readonly [string, LoggedUsage])[],
): readonly (readonly [string, LoggedUsage])[] {
  const byModel = sumByModel(parts);
  const all = [...total.values()].reduce(addUsage, noUsage);
  let left = usageBeyond(all, [...byModel.values()].reduce(addUsage, noUsage));
  return [...total].flatMap(([model, usage]) => {
    const beyond = usageBeyond(usage, byModel.get(model) ?? noUsage);
    const rest = joinUsage(beyond, left, Math.min);
    left = usageBeyond(left, rest);
    return isNoUsage(rest) ? [] : [[model, rest] as const];
  });
}

function placed(
  rest: readonly (readonly [string, LoggedUsage])[],
  session: string,
  compactions: readonly (number | null)[],
  last: SessionTotalEvent,
): LoggedRequest[] {
  const at = compactions[0] ?? last.at;
  return rest.map(([model, usage], index) => ({
    ...loggedRequest({ at, conversation: session, model }, usage),
    count: index === 0 ? compactions.length : 0,
    isLogged: false,
  }));
}
