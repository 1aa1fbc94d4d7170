import { dayText, type DayNumber } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import type { UsageFact } from "./usage-fact.ts";
import { makeDefinitionTrend } from "./definition-trend.ts";
import { toolName } from "./row-keys.ts";
import { addSums, callTokens, noSums, type Sums } from "./sums.ts";
import type { TrendRow, TrendSide, UsageTrend } from "./usage-report.ts";

// Fewer calls on a side of a trend are chance.
export const trendCallsMin = 10;

export const trendDaysMax = 31;

export type TrendPlan = {
  readonly days: readonly [first: DayNumber, last: DayNumber];
  readonly before: UsageTrend["before"];
  readonly top: number | undefined;
};

type Pair = {
  readonly server: string;
  readonly tool: string | null;
  readonly method: string | null;
  readonly now: Sums;
  readonly before: Sums;
  readonly daily: Map<DayNumber, number>;
};

export function makeTrend(facts: readonly UsageFact[], plan: TrendPlan): UsageTrend {
  const pairs = new Map<string, Pair>();
  for (const fact of facts) {
    if (fact.method === listMethod) continue;
    const { server, method } = fact;
    const tool = toolName(method, fact.tool);
    add(pairs, { server, method: null, tool: null }, fact);
    add(pairs, { server, method, tool }, fact);
  }
  const [first, last] = plan.days;
  const firstShown = Math.max(first, last - trendDaysMax + 1);
  const days = Array.from({ length: last - firstShown + 1 }, (_, at) => firstShown + at);
  const sorted = [...pairs.values()].toSorted(byServer(pairs));
  const shown = sorted.slice(0, plan.top ?? Infinity);
  return {
    before: plan.before,
    days: days.map(dayText),
    rows: shown.map((pair) => rowOf(pair, days)),
    more: sorted.length - shown.length,
    definitions: makeDefinitionTrend(facts, plan.top),
  };
}

function add(
  pairs: Map<string, Pair>,
  named: Pick<Pair, "server" | "method" | "tool">,
  { range, day, sums }: UsageFact,
): void {
  const key = keyOf(named);
  const known = pairs.get(key);
  const pair = known ?? { ...named, now: noSums(), before: noSums(), daily: new Map() };
  if (!known) pairs.set(key, pair);
  addSums(range === 0 ? pair.now : pair.before, sums);
  if (range === 0) pair.daily.set(day, (pair.daily.get(day) ?? 0) + callTokens(sums));
}

function keyOf({ server, method, tool }: Pick<Pair, "server" | "method" | "tool">): string {
  return JSON.stringify([server, method, tool]);
}

function byServer(pairs: ReadonlyMap<string, Pair>): (one: Pair, other: Pair) => number {
  const size = (pair: Pair | undefined): number =>
    pair ? callTokens(pair.now) + callTokens(pair.before) : 0;
  const serverOf = ({ server }: Pair): Pair | undefined =>
    pairs.get(keyOf({ server, method: null, tool: null }));
  return (one, other) => {
    if (one.server !== other.server) {
      const difference = size(serverOf(other)) - size(serverOf(one));
      return difference || (one.server < other.server ? -1 : 1);
    }
    if (one.tool === null || other.tool === null) return one.tool === null ? -1 : 1;
    return size(other) - size(one) || (keyOf(one) < keyOf(other) ? -1 : 1);
  };
}

function rowOf(
  { server, method, tool, now, before, daily }: Pair,
  days: readonly DayNumber[],
): TrendRow {
  const sides = { before: sideOf(before), now: sideOf(now) };
  return {
    server,
    method,
    tool,
    ...sides,
    change: changeOf(sides.before, sides.now),
    daily_tokens: days.map((day) => daily.get(day) ?? 0),
  };
}

/** Answered calls only: refused and cancelled ones say nothing about the size of an answer. */
function sideOf(sums: Sums): TrendSide {
  const calls = sums.calls - sums.refused - sums.cancelled;
  const tokens = callTokens(sums) - sums.refused_tokens;
  return { calls, tokens, tokens_per_call: calls === 0 ? null : tokens / calls };
}

/** Null if either side has too few calls, or no tokens. */
function changeOf(before: TrendSide, now: TrendSide): number | null {
  const isCertain = Math.min(before.calls, now.calls) >= trendCallsMin;
  const [one, other] = [before.tokens_per_call ?? 0, now.tokens_per_call ?? 0];
  return isCertain && one > 0 ? Math.round((other / one - 1) * 1e6) / 1e6 : null;
}
