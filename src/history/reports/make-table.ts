import { type Axis, isTimeAxis } from "./axes.ts";
import type { UsageFact } from "./usage-fact.ts";
import { RowGroup } from "./row-group.ts";
import { rowId, rowKeys } from "./row-keys.ts";
import type { RowKeys, UsageRow, UsageTable } from "./usage-report.ts";

export type RowChoice = {
  /** By default periods ascend, and other rows begin with the most tokens. With a time axis, it orders the periods. */
  readonly order: "asc" | "desc" | undefined;
  readonly top: number | undefined;
};

type Part = {
  readonly keys: RowKeys;
  readonly text: string;
  readonly facts: UsageFact[];
  readonly group: RowGroup;
};

export function makeTable(
  by: readonly Axis[],
  facts: readonly UsageFact[],
  allTokens: number,
  choice: RowChoice,
): UsageTable {
  const ordered = { ...choice, hasTime: by.some(isTimeAxis) };
  const [first, second] = by;
  if (first === undefined) return { by, rows: [] };
  if (second === undefined) return { by, rows: rowsOf(first, facts, allTokens, ordered) };
  const rows = sorted(split(first, facts), first, ordered).flatMap(({ keys, facts: own }) =>
    rowsOf(second, own, allTokens, ordered).map((row) => ({ ...keys, ...row })),
  );
  return { by, rows };
}

type Ordered = RowChoice & { readonly hasTime: boolean };

function rowsOf(
  axis: Axis,
  facts: readonly UsageFact[],
  allTokens: number,
  choice: Ordered,
): readonly UsageRow[] {
  const largest = split(axis, facts).toSorted(bySize);
  const shown = largest.slice(0, choice.top ?? Infinity);
  const others = largest.slice(shown.length);
  return [
    ...sorted(shown, axis, choice).map(({ keys, group }) => ({
      ...keys,
      ...group.measures(allTokens),
    })),
    ...(others.length === 0 ? [] : [restOf(others, facts, allTokens)]),
  ];
}

function restOf(others: readonly Part[], facts: readonly UsageFact[], allTokens: number): UsageRow {
  const left = new Set(others.flatMap((part) => part.facts));
  const group = new RowGroup();
  // In the order of sessions, which the group requires.
  for (const fact of facts) if (left.has(fact)) group.add(fact);
  return { more: others.length, ...group.measures(allTokens) };
}

/** Tables of tools have no row for sessions without definitions and calls. */
function split(axis: Axis, facts: readonly UsageFact[]): Part[] {
  const parts = new Map<string | number | null, Part>();
  for (const fact of facts) {
    const id = rowId(axis, fact);
    const part = parts.get(id) ?? newPart(axis, fact);
    parts.set(id, part);
    part.facts.push(fact);
    part.group.add(fact);
  }
  return [...parts.values()].filter(({ group }) => axis !== "tool" || !group.isEmpty);
}

function newPart(axis: Axis, fact: UsageFact): Part {
  const keys = rowKeys(axis, fact);
  return { keys, text: JSON.stringify(keys), facts: [], group: new RowGroup() };
}

function sorted(parts: readonly Part[], axis: Axis, { order, hasTime }: Ordered): Part[] {
  if (isTimeAxis(axis)) {
    const ascending = parts.toSorted((one, other) => (one.text < other.text ? -1 : 1));
    return order === "desc" ? ascending.toReversed() : ascending;
  }
  const descending = parts.toSorted(bySize);
  return order === "asc" && !hasTime ? descending.toReversed() : descending;
}

/** Equal ones by name, so that the order of files does not matter. */
function bySize(one: Part, other: Part): number {
  const tokens = other.group.contextTokens - one.group.contextTokens;
  return tokens || (one.text < other.text ? -1 : 1);
}
