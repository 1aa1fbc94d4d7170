import { schemaLevelsMax } from "#limits.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";

/**
 * A schema with its `$ref` replaced by its target inside `root`; members next to the `$ref` stay. Undefined
 * when the reference leads nowhere, out of the document or in a circle.
 */
export function resolved(schema: JsonObject, root: unknown): JsonObject | undefined {
  let here = schema;
  for (let hops = 0; hops < schemaLevelsMax; hops += 1) {
    const { $ref: reference, ...siblings } = here;
    if (reference === undefined) return here;
    const target = typeof reference === "string" ? targetOf(reference, root) : undefined;
    if (!isObject(target)) return undefined;
    here = { ...target, ...siblings };
  }
  return undefined;
}

/** The references inside a schema that lead somewhere in `before`, and nowhere in `after`. */
export function lostReferences(before: unknown, after: unknown): string[] {
  const references = referencesIn(after).intersection(referencesIn(before));
  return [...references].filter(
    (one) => targetOf(one, before) !== undefined && targetOf(one, after) === undefined,
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

function targetOf(reference: string, root: unknown): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  const steps = reference.slice(2).split("/");
  return memberAt(root, ...steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")));
}
