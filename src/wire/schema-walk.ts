import { attempt } from "#kit/errors.ts";
import { isObject, readMember, type JsonObject } from "./json.ts";

export const subschemasMax = 10_000;

export const schemaLevelsMax = 12;

export class SchemaWalk {
  readonly #root: unknown;
  #left = subschemasMax;

  constructor(root: unknown) {
    this.#root = root;
  }

  // Follows a schema's `$ref`. Returns undefined if the result is not an object, or if a limit is exceeded.
  enter(schema: unknown, level: number): JsonObject | undefined {
    this.#left -= 1;
    if (this.#left < 0 || level > schemaLevelsMax) return undefined;
    let target = schema;
    for (let hops = 0; hops < schemaLevelsMax; hops += 1) {
      if (!isObject(target)) return undefined;
      const ref = target["$ref"];
      if (typeof ref !== "string") return target;
      target = resolveReference(ref, this.#root);
    }
    return undefined;
  }
}

export function resolveReference(reference: string, root: unknown): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  return reference.slice(2).split("/").reduce<unknown>(stepInto, root);
}

function stepInto(target: unknown, step: string): unknown {
  if (Array.isArray(target)) return /^\d+$/.test(step) ? target[Number(step)] : undefined;
  return readMember(target, decodePointerStep(step) ?? step);
}

export function decodePointerStep(step: string): string | undefined {
  return attempt(() => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function inferType(schema: JsonObject): string | undefined {
  const { type } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    const first: unknown = type.find((candidate) => candidate !== "null");
    return typeof first === "string" ? first : "null";
  }
  if (isObject(schema["properties"])) return "object";
  return schema["items"] === undefined ? undefined : "array";
}

export function listBranches(schema: JsonObject, keyword: "anyOf" | "oneOf" | "allOf"): unknown[] {
  const branches = schema[keyword];
  return Array.isArray(branches) ? branches : [];
}

export function countFields(root: unknown): number {
  const walk = new SchemaWalk(root);
  const count = (rawSchema: unknown, level: number): number => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return 0;
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const subschemas = [
      ...properties,
      schema["items"],
      schema["additionalProperties"],
      ...listBranches(schema, "anyOf"),
      ...listBranches(schema, "oneOf"),
      ...listBranches(schema, "allOf"),
    ];
    return subschemas.reduce<number>(
      (sum, subschema) => sum + (isObject(subschema) ? count(subschema, level + 1) : 0),
      properties.length,
    );
  };
  return count(root, 0);
}
