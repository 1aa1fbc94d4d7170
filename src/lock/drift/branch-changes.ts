import { branchesPairedMax } from "#limits/definitions.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject } from "#wire/json.ts";
import { isAlone } from "./disjoint-schemas.ts";
import { resolved } from "./schema-references.ts";
import { changeOf, effectKind, type DefinitionChange, type Values } from "./definition-change.ts";
import type { Effect } from "./keyword-rules.ts";
import type { Pair, PartChanges } from "./parts.ts";
import { pairAlike } from "./pair-branches.ts";
import { nameOf, partOf, type SchemaPlace } from "./place.ts";

/** True for a keyword that holds a list of schemas for one value. */
export function holdsBranches(keyword: string): boolean {
  return ["anyOf", "oneOf", "allOf"].includes(keyword);
}

/**
 * Compares the schemas of such a keyword: equal ones are paired first, of the others those that have most in common, and the
 * rest in their order.
 */
export function branchChanges(
  keyword: string,
  values: Values,
  place: SchemaPlace,
  roots: Values,
): PartChanges {
  const { before, after } = values;
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return { changes: [wholeChange(keyword, values, place, roots)], pairs: [] };
  }
  const { matched, lost, gained } = pairAlike(without(before, after), without(after, before));
  // The list by which a change is SAFE: callers send values that fit the new one, and read those of the old.
  const [list, root] = place.side === "input" ? [after, roots.after] : [before, roots.before];
  const isSure = (branch: unknown): boolean => keyword !== "oneOf" || isSingle(branch, list, root);
  const lostChange = (one: unknown): DefinitionChange =>
    lossOf(keyword, one, isSure(one) ? place : doubtful(place), roots.before);
  const gainedChange = (one: unknown): DefinitionChange =>
    gainOf(keyword, one, isSure(one) ? place : doubtful(place));
  return {
    pairs: matched.map(([one, other]) => ({
      values: { before: one, after: other },
      place: partOf(
        isSure(place.side === "input" ? other : one) ? place : doubtful(place),
        ` (${keyword} ${before.indexOf(one) + 1})`,
      ),
    })),
    changes: [...lost.map(lostChange), ...gained.map(gainedChange)],
  };
}

function doubtful(place: SchemaPlace): SchemaPlace {
  return { ...place, isDoubtful: true };
}

function isSingle(branch: unknown, list: readonly unknown[], root: unknown): boolean {
  return list.length ** 2 <= branchesPairedMax && isAlone(branch, list, root);
}

function lossOf(
  keyword: string,
  branch: unknown,
  place: SchemaPlace,
  root: unknown,
): DefinitionChange {
  const values = { before: branch, after: undefined };
  const isConjunction = keyword === "allOf";
  if (isConjunction && place.side === "output" && hasFields(branch, root)) {
    return changeOf("field_removed", `${nameOf(place)}: allOf lost a branch with fields`, values);
  }
  const verb = `lost a branch${mayMatchAnother(keyword, place) && place.side === "output" ? " that may match with another" : ""}`;
  return changeAt(keyword, isConjunction ? "widened" : "narrowed", verb, { values, place });
}

function gainOf(keyword: string, branch: unknown, place: SchemaPlace): DefinitionChange {
  const values = { before: undefined, after: branch };
  const verb = `gained a branch${mayMatchAnother(keyword, place) && place.side === "input" ? " that may match with another" : ""}`;
  return changeAt(keyword, keyword === "allOf" ? "narrowed" : "widened", verb, { values, place });
}

function mayMatchAnother(keyword: string, { isDoubtful }: SchemaPlace): boolean {
  return keyword === "oneOf" && isDoubtful === true;
}

function changeAt(
  keyword: string,
  effect: Effect,
  verb: string,
  { values, place }: Pair,
): DefinitionChange {
  return changeOf(effectKind(place, effect), `${nameOf(place)}: ${keyword} ${verb}`, values);
}

/** True for a schema that names fields, by itself or by its reference. */
function hasFields(branch: unknown, root: unknown): boolean {
  const schema = isObject(branch) ? resolved(branch, root) : undefined;
  if (!schema) return branch !== true;
  const { properties, required } = schema;
  const hasRequired = Array.isArray(required) && required.length > 0;
  return hasRequired || (isObject(properties) && Object.keys(properties).length > 0);
}

/** A list of schemas that is new allows less, one that is removed allows more. */
function wholeChange(
  keyword: string,
  values: Values,
  place: SchemaPlace,
  roots: Values,
): DefinitionChange {
  const { before, after } = values;
  const isFieldLost =
    keyword === "allOf" && place.side === "output" && after === undefined && Array.isArray(before);
  if (isFieldLost && before.some((one) => hasFields(one, roots.before))) {
    return changeOf("field_removed", `${nameOf(place)}: allOf with fields removed`, values);
  }
  const [effect, verb]: readonly [Effect, string] =
    values.before === undefined
      ? ["narrowed", "added"]
      : values.after === undefined
        ? ["widened", "removed"]
        : ["changed", "changed"];
  return changeAt(keyword, effect, verb, { values, place });
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
