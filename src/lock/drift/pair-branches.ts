import { branchesPairedMax, branchFactsMax } from "#limits/definitions.ts";

/** The schemas of two lists that are compared with each other, and those that one list has alone. */
export type PairedBranches = {
  readonly matched: readonly (readonly [before: unknown, after: unknown])[];
  readonly lost: readonly unknown[];
  readonly gained: readonly unknown[];
};

/** Pairs schemas that stand in the same place of their lists. */
function pairByPlace(before: readonly unknown[], after: readonly unknown[]): PairedBranches {
  const common = Math.min(before.length, after.length);
  return {
    matched: before.slice(0, common).map((one, at) => [one, after[at]] as const),
    lost: before.slice(common),
    gained: after.slice(common),
  };
}

/** Pairs schemas by the share of their facts that both have, the most alike first; those without any in their order. */
export function pairAlike(lost: readonly unknown[], gained: readonly unknown[]): PairedBranches {
  if (lost.length * gained.length > branchesPairedMax) return pairByPlace(lost, gained);
  const facts = gained.map(factsIn);
  const likeness = lost.flatMap((one, from) => {
    const own = factsIn(one);
    return facts.map((others, to) => ({ from, to, share: commonShare(own, others) }));
  });
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  // The sort is stable: of equal shares the first in the order of both lists.
  for (const { from, to } of likeness.toSorted((one, other) => other.share - one.share)) {
    if (partners.has(from) || taken.has(to)) continue;
    partners.set(from, to);
    taken.add(to);
  }
  return {
    matched: lost.flatMap((one, from) => {
      const to = partners.get(from);
      return to === undefined ? [] : [[one, gained[to]] as const];
    }),
    lost: lost.filter((_, from) => !partners.has(from)),
    gained: gained.filter((_, to) => !taken.has(to)),
  };
}

/** The values of a schema with the names that lead to them, such as `/properties/kind/const="a"`; up to a limit. */
function factsIn(schema: unknown): ReadonlySet<string> {
  const facts = new Set<string>();
  const open: (readonly [path: string, value: unknown])[] = [["", schema]];
  for (let next = open.pop(); next && facts.size < branchFactsMax; next = open.pop()) {
    const [path, value] = next;
    if (typeof value !== "object" || value === null) facts.add(`${path}=${JSON.stringify(value)}`);
    else for (const [name, member] of Object.entries(value)) open.push([`${path}/${name}`, member]);
  }
  return facts;
}

function commonShare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = one.intersection(other).size;
  return common === 0 ? 0 : common / (one.size + other.size - common);
}
