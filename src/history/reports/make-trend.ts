import { formatDay, type DayNumber } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import type { UsageFact } from "./usage-cube.ts";
import { describeTool } from "./report-rows.ts";
import { addSums, sumCallTokens, makeSums, type Sums } from "./usage-sums.ts";
import type {
  TrendRow,
  TrendSide,
  UsageTrend,
  DefinitionSide,
  DefinitionTrend,
  DefinitionTrendRow,
} from "./usage-report.ts";

// With fewer calls, a difference may be chance.
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
  const total = { now: makeSums(), before: makeSums() };
  for (const fact of facts) {
    if (fact.method === listMethod) continue;
    const { server, method, range, sums } = fact;
    addSums(range === 0 ? total.now : total.before, sums);
    const tool = describeTool(method, fact.tool);
    addFact(pairs, { server, method: null, tool: null }, fact);
    addFact(pairs, { server, method, tool }, fact);
  }
  const [first, last] = plan.days;
  const firstShown = Math.max(first, last - trendDaysMax + 1);
  const days = Array.from({ length: last - firstShown + 1 }, (_, at) => firstShown + at);
  const sorted = [...pairs.values()].toSorted(makeServerComparer(pairs));
  const shown = sorted.slice(0, plan.top ?? Infinity);
  return {
    before: plan.before,
    days: days.map(formatDay),
    rows: shown.map((pair) => makeRow(pair, days)),
    more: sorted.length - shown.length,
    total: compareSides(total),
    definitions: makeDefinitionTrend(facts, plan.top),
  };
}

function addFact(
  pairs: Map<string, Pair>,
  identity: Pick<Pair, "server" | "method" | "tool">,
  { range, day, sums }: UsageFact,
): void {
  const key = makeKey(identity);
  const known = pairs.get(key);
  const pair = known ?? { ...identity, now: makeSums(), before: makeSums(), daily: new Map() };
  if (!known) pairs.set(key, pair);
  addSums(range === 0 ? pair.now : pair.before, sums);
  if (range === 0) pair.daily.set(day, (pair.daily.get(day) ?? 0) + sumCallTokens(sums));
}

function makeKey({ server, method, tool }: Pick<Pair, "server" | "method" | "tool">): string {
  return JSON.stringify([server, method, tool]);
}

function makeServerComparer(pairs: ReadonlyMap<string, Pair>): (a: Pair, b: Pair) => number {
  const sumSize = (pair: Pair | undefined): number =>
    pair ? sumCallTokens(pair.now) + sumCallTokens(pair.before) : 0;
  const findServer = ({ server }: Pair): Pair | undefined =>
    pairs.get(makeKey({ server, method: null, tool: null }));
  return (a, b) => {
    if (a.server !== b.server) {
      const difference = sumSize(findServer(b)) - sumSize(findServer(a));
      return difference || (a.server < b.server ? -1 : 1);
    }
    if (a.tool === null || b.tool === null) return a.tool === null ? -1 : 1;
    return sumSize(b) - sumSize(a) || (makeKey(a) < makeKey(b) ? -1 : 1);
  };
}

function makeRow(
  { server, method, tool, now, before, daily }: Pair,
  days: readonly DayNumber[],
): TrendRow {
  return {
    server,
    method,
    tool,
    ...compareSides({ now, before }),
    daily_tokens: days.map((day) => daily.get(day) ?? 0),
  };
}

function compareSides({ now, before }: Pick<Pair, "now" | "before">): UsageTrend["total"] {
  const sides = { before: makeSide(before), now: makeSide(now) };
  return { ...sides, change: computeChange(sides.before, sides.now) };
}

// `calls` leaves out refused and cancelled calls: no answer reached the client. `tokens` leaves out only refused ones.
function makeSide(sums: Sums): TrendSide {
  const calls = sums.calls - sums.refused - sums.cancelled;
  const tokens = sumCallTokens(sums) - sums.refused_tokens;
  return { calls, tokens, tokens_per_call: calls === 0 ? null : tokens / calls };
}

function computeChange(before: TrendSide, now: TrendSide): number | null {
  const hasEnoughCalls = Math.min(before.calls, now.calls) >= trendCallsMin;
  const [a, b] = [before.tokens_per_call ?? 0, now.tokens_per_call ?? 0];
  return hasEnoughCalls && a > 0 ? Math.round((b / a - 1) * 1e6) / 1e6 : null;
}

type ListSums = { lists: number; tokens: number };

type ListPair = { readonly now: ListSums; readonly before: ListSums };

type ListedServer = ListPair & {
  readonly server: string;
  readonly tools: Map<string, ListPair>;
  // The number of lists whose tools are known. Daily totals count lists without naming their tools.
  readonly detailed: { now: number; before: number };
};

// Sizes by different estimators cannot be compared, so the trend of a server uses the lists of one estimator.
export function makeDefinitionTrend(
  facts: readonly UsageFact[],
  top: number | undefined,
): DefinitionTrend {
  const listedServers = new Map<string, ListedServer>();
  for (const fact of facts) {
    const { method, sums, server, session } = fact;
    if (method !== listMethod || sums.definition_lists === 0) continue;
    const key = JSON.stringify([server, session.estimation?.estimator]);
    const listed = listedServers.getOrInsertComputed(key, () => makeServer(server));
    addList(listed, fact);
  }
  const ranked = [...listedServers.values()].toSorted(compareListCounts);
  const servers = [...Map.groupBy(ranked, ({ server }) => server).values()];
  const rows = servers
    .flatMap(([chosen]) => chosen ?? [])
    .toSorted(compareSizes)
    .flatMap(makeServerRows);
  const shown = rows.slice(0, top ?? Infinity);
  const leftOut = servers
    .flatMap((group) => group.slice(1))
    .reduce((count, { now, before }) => count + now.lists + before.lists, 0);
  return { rows: shown, more: rows.length - shown.length, lists_left_out: leftOut };
}

function compareListCounts(a: ListedServer, b: ListedServer): number {
  const countSmallerSide = ({ now, before }: ListedServer): number =>
    Math.min(now.lists, before.lists);
  const countAll = ({ now, before }: ListedServer): number => now.lists + before.lists;
  return countSmallerSide(b) - countSmallerSide(a) || countAll(b) - countAll(a);
}

function makeServer(server: string): ListedServer {
  return { server, ...makeListPair(), tools: new Map(), detailed: { now: 0, before: 0 } };
}

function addList(
  { tools, detailed, ...pair }: ListedServer,
  { range, sums, list }: UsageFact,
): void {
  const side = range === 0 ? "now" : "before";
  pair[side].lists += sums.definition_lists;
  pair[side].tokens += sums.listed_tokens;
  if (!list) return;
  detailed[side] += 1;
  for (const { name, tokens } of list.tools) {
    const tool = tools.getOrInsertComputed(name, makeListPair);
    tool[side].lists += 1;
    tool[side].tokens += tokens;
  }
}

function makeListPair(): ListPair {
  return { now: { lists: 0, tokens: 0 }, before: { lists: 0, tokens: 0 } };
}

function compareSizes(a: ListedServer, b: ListedServer): number {
  const measureSize = ({ now, before }: ListedServer): number =>
    computeMean(now) ?? computeMean(before) ?? 0;
  return measureSize(b) - measureSize(a) || (a.server < b.server ? -1 : 1);
}

function makeServerRows({
  server,
  tools,
  detailed,
  ...pair
}: ListedServer): readonly DefinitionTrendRow[] {
  const serverRow = makeDefinitionRow(server, null, pair);
  // Without the tools of one side, every tool of the other side would look new or removed.
  if (detailed.before === 0 || detailed.now === 0) return [serverRow];
  const changed = [...tools]
    .map(([tool, toolPair]) => makeDefinitionRow(server, tool, toolPair))
    .filter((row) => computeGrowth(row) !== 0)
    .toSorted(
      (a, b) =>
        Math.abs(computeGrowth(b)) - Math.abs(computeGrowth(a)) ||
        ((a.tool ?? "") < (b.tool ?? "") ? -1 : 1),
    );
  return [serverRow, ...changed];
}

function makeDefinitionRow(
  server: string,
  tool: string | null,
  pair: ListPair,
): DefinitionTrendRow {
  const [before, now] = [makeDefinitionSide(pair.before), makeDefinitionSide(pair.now)];
  return { server, tool, before, now, change: computeDefinitionChange(before, now) };
}

function makeDefinitionSide(sums: ListSums): DefinitionSide {
  return { lists: sums.lists, tokens_per_list: computeMean(sums) };
}

function computeMean({ lists, tokens }: ListSums): number | null {
  return lists === 0 ? null : tokens / lists;
}

function computeGrowth({ before, now }: DefinitionTrendRow): number {
  return (now.tokens_per_list ?? 0) - (before.tokens_per_list ?? 0);
}

function computeDefinitionChange(before: DefinitionSide, now: DefinitionSide): number | null {
  const [a, b] = [before.tokens_per_list, now.tokens_per_list];
  if (a === null || b === null || a === 0) return null;
  return Math.round((b / a - 1) * 1e6) / 1e6;
}
