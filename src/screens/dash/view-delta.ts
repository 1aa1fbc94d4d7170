import type { View, ViewDelta, ViewRows } from "./view.ts";

export function deltaOf(before: View, next: View): ViewDelta | undefined {
  const tables = Object.entries(next.tables).flatMap(([name, rows]) => {
    const change = changeOf(before.tables[name] ?? {}, rows);
    return change ? [[name, change] as const] : [];
  });
  const isSame = JSON.stringify(before.head) === JSON.stringify(next.head);
  if (isSame && tables.length === 0) return undefined;
  return { ...(isSame ? {} : { head: next.head }), tables: Object.fromEntries(tables) };
}

export function withDelta(view: View, { head, tables }: ViewDelta): View {
  const changed = Object.entries(tables).map(([name, { set, gone }]) => {
    const left = new Set(gone);
    const kept = Object.entries(view.tables[name] ?? {}).filter(([key]) => !left.has(key));
    return [name, { ...Object.fromEntries(kept), ...set }] as const;
  });
  return { head: head ?? view.head, tables: { ...view.tables, ...Object.fromEntries(changed) } };
}

function changeOf(
  before: ViewRows<object>,
  next: ViewRows<object>,
): ViewDelta["tables"][string] | undefined {
  const set = Object.entries(next).filter(
    ([key, row]) =>
      !Object.hasOwn(before, key) || JSON.stringify(before[key]) !== JSON.stringify(row),
  );
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(next, key));
  if (set.length === 0 && gone.length === 0) return undefined;
  return { set: Object.fromEntries(set), gone };
}
