import { branchesPairedMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import type { Shape } from "./shapes.ts";

export type Pair<Item> = { readonly before: Item; readonly after: Item };

type PairedShapes = {
  readonly pairs: readonly Pair<Shape>[];
  readonly lost: readonly Shape[];
  readonly gained: readonly Shape[];
};

/** The most similar shapes of a type first. */
export function pairShapes(before: readonly Shape[], after: readonly Shape[]): PairedShapes {
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  // The sort is stable: of equal shares the first in the order of both lists.
  const candidates = candidatesIn(before, after);
  for (const { from, to } of candidates.toSorted((one, other) => other.share - one.share)) {
    if (partners.has(from) || taken.has(to)) continue;
    partners.set(from, to);
    taken.add(to);
  }
  return {
    pairs: before.flatMap((shape, from) => {
      const partner = after[partners.get(from) ?? -1];
      return partner ? [{ before: shape, after: partner }] : [];
    }),
    lost: before.filter((_, from) => !partners.has(from)),
    gained: after.filter((_, to) => !taken.has(to)),
  };
}

type Candidate = { readonly from: number; readonly to: number; readonly share: number };

function candidatesIn(before: readonly Shape[], after: readonly Shape[]): Candidate[] {
  if (before.length * after.length > branchesPairedMax) {
    return before.map((_, at) => ({ from: at, to: at, share: 0 })).slice(0, after.length);
  }
  const facts = after.map(factsIn);
  return before.flatMap((shape, from) => {
    const own = factsIn(shape);
    return facts.map((others, to) => ({ from, to, share: commonShare(own, others) }));
  });
}

function factsIn({ values, bounds, exact, properties, required }: Shape): ReadonlySet<string> {
  return new Set([
    ...(values?.keys() ?? []),
    ...[...bounds].map(String),
    ...exact.keys(),
    ...[...properties].flatMap(([name, schema]) => [name, canonicalJson([name, schema])]),
    ...[...required].map((name) => `required ${name}`),
  ]);
}

function commonShare(facts: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const common = facts.intersection(others).size;
  return common === 0 ? 0 : common / (facts.size + others.size - common);
}
