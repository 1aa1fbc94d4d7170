import { dayText, type DayNumber } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import type { UsageFact } from "./usage-fact.ts";
import { toolName } from "./row-keys.ts";
import { addSums, callTokens, noSums, type Sums } from "./sums.ts";
import type {
  TrendRow,
  TrendSide,
  UsageTrend,
  DefinitionSide,
  DefinitionTrend,
  DefinitionTrendRow,
} from "./usage-report.ts";

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

type ListSums = { lists: number; tokens: number };

type ListPair = { readonly now: ListSums; readonly before: ListSums };

type Server = ListPair & {
  readonly server: string;
  readonly tools: Map<string, ListPair>;
  /** Daily totals have no tools. */
  readonly known: { now: number; before: number };
};

export function makeDefinitionTrend(
  facts: readonly UsageFact[],
  top: number | undefined,
): DefinitionTrend {
  const servers = new Map<string, Server>();
  for (const fact of facts) {
    const { method, sums, server } = fact;
    if (method !== listMethod || sums.definition_lists === 0) continue;
    const pair = servers.get(server) ?? newServer(server);
    servers.set(server, pair);
    addList(pair, fact);
  }
  const rows = [...servers.values()].toSorted(bySize).flatMap(rowsOf);
  const shown = rows.slice(0, top ?? Infinity);
  return { rows: shown, more: rows.length - shown.length };
}

function newServer(server: string): Server {
  return { server, ...noPair(), tools: new Map(), known: { now: 0, before: 0 } };
}

function addList({ tools, known, ...pair }: Server, { range, sums, list }: UsageFact): void {
  const side = range === 0 ? "now" : "before";
  pair[side].lists += sums.definition_lists;
  pair[side].tokens += sums.listed_tokens;
  if (!list) return;
  known[side] += 1;
  for (const { name, tokens } of list.tools) {
    const tool = tools.get(name) ?? noPair();
    tools.set(name, tool);
    tool[side].lists += 1;
    tool[side].tokens += tokens;
  }
}

function noPair(): ListPair {
  return { now: { lists: 0, tokens: 0 }, before: { lists: 0, tokens: 0 } };
}

function bySize(one: Server, other: Server): number {
  const size = ({ now, before }: Server): number => mean(now) ?? mean(before) ?? 0;
  return size(other) - size(one) || (one.server < other.server ? -1 : 1);
}

function rowsOf({ server, tools, known, ...pair }: Server): readonly DefinitionTrendRow[] {
  const own = definitionRow(server, null, pair);
  // A server whose tools are not known on one side has none that is new or removed.
  if (known.before === 0 || known.now === 0) return [own];
  const changed = [...tools]
    .map(([tool, toolPair]) => definitionRow(server, tool, toolPair))
    .filter((row) => growth(row) !== 0)
    .toSorted(
      (one, other) =>
        Math.abs(growth(other)) - Math.abs(growth(one)) ||
        ((one.tool ?? "") < (other.tool ?? "") ? -1 : 1),
    );
  return [own, ...changed];
}

function definitionRow(server: string, tool: string | null, pair: ListPair): DefinitionTrendRow {
  const [before, now] = [definitionSide(pair.before), definitionSide(pair.now)];
  return { server, tool, before, now, change: definitionChange(before, now) };
}

function definitionSide(sums: ListSums): DefinitionSide {
  return { lists: sums.lists, tokens_per_list: mean(sums) };
}

function mean({ lists, tokens }: ListSums): number | null {
  return lists === 0 ? null : tokens / lists;
}

function growth({ before, now }: DefinitionTrendRow): number {
  return (now.tokens_per_list ?? 0) - (before.tokens_per_list ?? 0);
}

function definitionChange(before: DefinitionSide, now: DefinitionSide): number | null {
  const [one, other] = [before.tokens_per_list, now.tokens_per_list];
  if (one === null || other === null || one === 0) return null;
  return Math.round((other / one - 1) * 1e6) / 1e6;
}
