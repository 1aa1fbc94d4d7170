import { schemaLevelsMax } from "#limits/definitions.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";

/**
 * A schema with its `$ref` replaced by its target inside `root`; members next to the `$ref` stay. Undefined
 * when the reference leads nowhere, out of the document or in a circle.
 */
export function resolved(schema: JsonObject, root: unknown): JsonObject | undefined {
  let here = schema;
  for (let hops = 0; hops < schemaLevelsMax; hops += 1) {
    const { $ref: reference, ...siblings } = here;
    if (reference === undefined) return here;
    const target = typeof reference === "string" ? referenceTarget(reference, root) : undefined;
    if (!isObject(target)) return undefined;
    here = { ...target, ...siblings };
  }
  return undefined;
}

/** Keywords that limit no value, and those that only hold schemas. */
const notes: ReadonlySet<string> = new Set(
  `$ref $schema $id $anchor $comment $defs definitions title description default examples deprecated readOnly
   writeOnly`.split(/\s+/),
);

/** True for a `$ref` next to keywords that limit values: up to draft 7 they count for nothing, later they do. */
export function hasLimitsBesideReference(schema: unknown): boolean {
  if (!isObject(schema) || schema["$ref"] === undefined) return false;
  return Object.keys(schema).some((key) => !notes.has(key) && !key.startsWith("x-"));
}

/** True when a schema has such a `$ref` anywhere. */
export function hasLimitedReference(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    if (hasLimitsBesideReference(one)) return true;
    for (const member of Object.values(one)) open.push(member);
  }
  return false;
}

/** The references inside a schema that lead somewhere in `before`, and nowhere in `after`. */
export function lostReferences(before: unknown, after: unknown): string[] {
  const references = referencesIn(after).intersection(referencesIn(before));
  return [...references].filter(
    (one) =>
      referenceTarget(one, before) !== undefined && referenceTarget(one, after) === undefined,
  );
}

function referencesIn(schema: unknown): Set<string> {
  const found = new Set<string>();
  const open: unknown[] = [schema];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    for (const [key, member] of Object.entries(one)) {
      if (key === "$ref" && typeof member === "string") found.add(member);
      else open.push(member);
    }
  }
  return found;
}
