import { listMethod } from "./call-kinds.ts";
import type { DefinitionSide, DefinitionTrend, DefinitionTrendRow } from "./usage-report.ts";
import type { UsageFact } from "./usage-fact.ts";

type ListSums = { lists: number; tokens: number };

type Pair = { readonly now: ListSums; readonly before: ListSums };

type Server = Pair & {
  readonly server: string;
  readonly tools: Map<string, Pair>;
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
    add(pair, fact);
  }
  const rows = [...servers.values()].toSorted(bySize).flatMap(rowsOf);
  const shown = rows.slice(0, top ?? Infinity);
  return { rows: shown, more: rows.length - shown.length };
}

function newServer(server: string): Server {
  return { server, ...noPair(), tools: new Map(), known: { now: 0, before: 0 } };
}

function add({ tools, known, ...pair }: Server, { range, sums, list }: UsageFact): void {
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

function noPair(): Pair {
  return { now: { lists: 0, tokens: 0 }, before: { lists: 0, tokens: 0 } };
}

function bySize(one: Server, other: Server): number {
  const size = ({ now, before }: Server): number => mean(now) ?? mean(before) ?? 0;
  return size(other) - size(one) || (one.server < other.server ? -1 : 1);
}

function rowsOf({ server, tools, known, ...pair }: Server): readonly DefinitionTrendRow[] {
  const own = rowOf(server, null, pair);
  // A server whose tools are not known on one side has none that is new or removed.
  if (known.before === 0 || known.now === 0) return [own];
  const changed = [...tools]
    .map(([tool, toolPair]) => rowOf(server, tool, toolPair))
    .filter((row) => growth(row) !== 0)
    .toSorted(
      (one, other) =>
        Math.abs(growth(other)) - Math.abs(growth(one)) ||
        ((one.tool ?? "") < (other.tool ?? "") ? -1 : 1),
    );
  return [own, ...changed];
}

function rowOf(server: string, tool: string | null, pair: Pair): DefinitionTrendRow {
  const [before, now] = [sideOf(pair.before), sideOf(pair.now)];
  return { server, tool, before, now, change: changeOf(before, now) };
}

function sideOf(sums: ListSums): DefinitionSide {
  return { lists: sums.lists, tokens_per_list: mean(sums) };
}

function mean({ lists, tokens }: ListSums): number | null {
  return lists === 0 ? null : tokens / lists;
}

function growth({ before, now }: DefinitionTrendRow): number {
  return (now.tokens_per_list ?? 0) - (before.tokens_per_list ?? 0);
}

function changeOf(before: DefinitionSide, now: DefinitionSide): number | null {
  const [one, other] = [before.tokens_per_list, now.tokens_per_list];
  if (one === null || other === null || one === 0) return null;
  return Math.round((other / one - 1) * 1e6) / 1e6;
}
