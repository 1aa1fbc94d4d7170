import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { changeOf, effectKind, type Values } from "./definition-change.ts";
import type { Pair, PartChanges } from "./parts.ts";
import { definitionOf, nameOf, type SchemaPlace } from "./place.ts";

/** The changes of named schemas, and those that are yet to be compared, with their names. */
type NamedChanges = PartChanges & { readonly pairs: readonly (Pair & { readonly name: string })[] };

/**
 * Compares `$defs`: schemas that others refer to. One that is new or removed matters where it is referred to, but
 * for the text that it brings.
 */
export function namedChanges(keyword: string, values: Values, place: SchemaPlace): NamedChanges {
  const [was, is] = [membersOf(values.before), membersOf(values.after)];
  const whereOf = (name: string): SchemaPlace => definitionOf(place, keyword, name);
  const kind = effectKind(place, place.side === "input" ? "widened" : "narrowed");
  // Sorted: which of several equal ones is the new name must not depend on the order of keys.
  const [lost, gained] = [namesOnlyIn(was, is), namesOnlyIn(is, was)];
  const renamed = new Map(
    lost.flatMap((name) => {
      const other = gained.find((one) => isSameBut(keyword, [name, was[name]], [one, is[one]]));
      return other === undefined ? [] : [[name, other] as const];
    }),
  );
  const removed = lost.filter((name) => !renamed.has(name));
  const added = gained.filter((name) => ![...renamed.values()].includes(name));
  const common = Object.keys(was).filter((name) => Object.hasOwn(is, name));
  return {
    changes: [
      ...[...renamed].map(([before, after]) =>
        changeOf(kind, `${nameOf(whereOf(before))} renamed`, { before, after }),
      ),
      ...removed.map((name) =>
        changeOf(kind, `${nameOf(whereOf(name))} removed`, { before: was[name], after: undefined }),
      ),
      ...added.map((name) =>
        changeOf(kind, `${nameOf(whereOf(name))} added`, {
          before: undefined,
          after: { [name]: is[name] },
        }),
      ),
    ],
    pairs: common.map((name) => ({
      name,
      values: { before: was[name], after: is[name] },
      place: whereOf(name),
    })),
  };
}

function namesOnlyIn(one: JsonObject, other: JsonObject): string[] {
  return Object.keys(one)
    .filter((name) => !Object.hasOwn(other, name))
    .toSorted();
}

/** True when two schemas differ in their names alone, also where they refer to themselves. */
function isSameBut(
  keyword: string,
  [name, schema]: readonly [string, unknown],
  [other, otherSchema]: readonly [string, unknown],
): boolean {
  const reference = (to: string): string => JSON.stringify(`#/${keyword}/${to}`);
  const text = canonicalJson(schema).replaceAll(reference(name), () => reference(other));
  return text === canonicalJson(otherSchema);
}

function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
