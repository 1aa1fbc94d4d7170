import { canonicalJson } from "#wire/canonical.ts";
import { changeOf, effectKind, type DefinitionChange, type Values } from "./definition-change.ts";
import type { Effect } from "./keyword-rules.ts";
import type { PartChanges } from "./parts.ts";
import { pairAlike, pairByPlace } from "./pair-branches.ts";
import { nameOf, partOf, type SchemaPlace } from "./place.ts";

/** The keyword whose schemas are those of the first, second and following items of a list. */
const positional = "prefixItems";

/** Keywords that hold a list of schemas, and whether one schema more allows less. */
const keywords: ReadonlyMap<string, boolean> = new Map([
  ["anyOf", false],
  ["oneOf", false],
  ["allOf", true],
  [positional, true],
]);

/** True for a keyword that holds a list of schemas. */
export function holdsBranches(keyword: string): boolean {
  return keywords.has(keyword);
}

/**
 * Compares the schemas of such a keyword: equal ones are paired first, of the others those that have most in common, and the
 * rest in their order. Items that stand in a place of their own are paired by it.
 */
export function branchChanges(keyword: string, values: Values, place: SchemaPlace): PartChanges {
  const { before, after } = values;
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return { changes: [wholeChange(keyword, values, place)], pairs: [] };
  }
  const isPositional = keyword === positional;
  const { matched, lost, gained } = isPositional
    ? pairByPlace(before, after)
    : pairAlike(without(before, after), without(after, before));
  const pairs = matched.map(([one, other]) => ({
    values: { before: one, after: other },
    place: partOf(place, ` (${keyword} ${before.indexOf(one) + 1})`),
  }));
  const change = (effect: Effect, verb: string, sides: Values): DefinitionChange =>
    changeOf(effectKind(place.side, effect), `${nameOf(place)}: ${keyword} ${verb}`, sides);
  const isConjunction = keywords.get(keyword) === true;
  const lostEffect = isConjunction ? "widened" : "narrowed";
  const gainedEffect = isConjunction ? "narrowed" : "widened";
  return {
    pairs,
    changes: [
      ...lost.map((one) => change(lostEffect, "lost a branch", { before: one, after: undefined })),
      ...gained.map((one) =>
        change(gainedEffect, "gained a branch", { before: undefined, after: one }),
      ),
    ],
  };
}

/** A list of schemas that is new allows less, one that is removed allows more. */
function wholeChange(keyword: string, values: Values, place: SchemaPlace): DefinitionChange {
  const [effect, verb]: readonly [Effect, string] =
    values.before === undefined
      ? ["narrowed", "added"]
      : values.after === undefined
        ? ["widened", "removed"]
        : ["changed", "changed"];
  return changeOf(effectKind(place.side, effect), `${nameOf(place)}: ${keyword} ${verb}`, values);
}

/** The members of a list that another does not have, each as often as the other lacks it. */
function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(canonicalJson(one), (left.get(canonicalJson(one)) ?? 0) + 1);
  return list.filter((one) => {
    const key = canonicalJson(one);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}
