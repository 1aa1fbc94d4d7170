import { disjointLevelsMax, disjointNamesMax } from "#limits/definitions.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { isAllowedType, listedValues } from "./allowed-values.ts";
import { hasLimitsBesideReference, resolved } from "./schema-references.ts";

/** True when it is proven that no value fits both schemas of one document. */
function areDisjoint(one: unknown, other: unknown, root: unknown): boolean {
  return isProven(one, other, { root, level: 0 });
}

/** The document of two schemas, and the number of properties above them. */
type Depth = { readonly root: unknown; readonly level: number };

function isProven(rawOne: unknown, rawOther: unknown, depth: Depth): boolean {
  if (rawOne === false || rawOther === false) return true;
  if (depth.level > disjointLevelsMax) return false;
  const [one, other] = [opened(rawOne, depth.root), opened(rawOther, depth.root)];
  if (!one || !other) return false;
  return (
    haveOtherTypes(one, other) || haveOtherValues(one, other) || haveOtherMember(one, other, depth)
  );
}

/** Undefined where keywords next to a reference may limit it or not, by the dialect. */
function opened(schema: unknown, root: unknown): JsonObject | undefined {
  if (!isObject(schema) || hasLimitsBesideReference(schema)) return undefined;
  const target = resolved(schema, root);
  return target && hasLimitsBesideReference(target) ? undefined : target;
}

function haveOtherTypes(one: JsonObject, other: JsonObject): boolean {
  const [types, others] = [typesIn(one), typesIn(other)];
  if (!types || !others) return false;
  return !types.some(
    (type) => isAllowedType(type, others) || others.some((it) => isAllowedType(it, [type])),
  );
}

/** The types of a schema, by its `type` or by the values that it lists; undefined when it allows any. */
function typesIn(schema: JsonObject): readonly unknown[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type;
  const values = listedValues(schema);
  return values && [...values.values()].map(typeOfValue);
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function haveOtherValues(one: JsonObject, other: JsonObject): boolean {
  const [values, others] = [listedValues(one), listedValues(other)];
  return (
    values !== undefined &&
    others !== undefined &&
    ![...values.keys()].some((key) => others.has(key))
  );
}

/** True for two objects with a member that one of them requires, and whose schemas are disjoint. */
function haveOtherMember(one: JsonObject, other: JsonObject, { root, level }: Depth): boolean {
  if (one["type"] !== "object" && other["type"] !== "object") return false;
  const names = [...requiredIn(one), ...requiredIn(other)].slice(0, disjointNamesMax);
  return names.some((name) => {
    const [its, others] = [one, other].map((schema) => memberAt(schema["properties"], name));
    return (
      its !== undefined && others !== undefined && isProven(its, others, { root, level: level + 1 })
    );
  });
}

function requiredIn({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** True when a schema of a list is proven to share no value with the others, also where it is listed twice. */
export function isAlone(branch: unknown, branches: readonly unknown[], root: unknown): boolean {
  const others = branches.toSpliced(branches.indexOf(branch), 1);
  return others.every((other) => areDisjoint(branch, other, root));
}
