import { schemaLevelsMax, subschemasMax } from "#limits.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";

/** A JSON Schema being looked at: where `$ref` leads, and how much looking is left. */
export class SchemaWalk {
  readonly #root: unknown;
  #left = subschemasMax;

  constructor(root: unknown) {
    this.#root = root;
  }

  /**
   * The subschema itself, its `$ref` followed inside the document; undefined for what is no schema, for
   * references that lead elsewhere or in circles, and where a limit is reached.
   */
  enter(schema: unknown, level: number): JsonObject | undefined {
    this.#left -= 1;
    if (this.#left < 0 || level > schemaLevelsMax) return undefined;
    let here = schema;
    for (let hops = 0; hops < schemaLevelsMax; hops += 1) {
      if (!isObject(here)) return undefined;
      const ref = here["$ref"];
      if (typeof ref !== "string") return here;
      here = this.#resolve(ref);
    }
    return undefined;
  }

  #resolve(ref: string): unknown {
    if (ref === "#") return this.#root;
    if (!ref.startsWith("#/")) return undefined;
    const path = ref
      .slice(2)
      .split("/")
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    return memberAt(this.#root, ...path);
  }
}

/** `type` of a schema, the one that is not null where there are two; else what its keywords tell. */
export function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) {
    const named: unknown = type.find((one) => one !== "null");
    return typeof named === "string" ? named : "null";
  }
  if (isObject(schema["properties"])) return "object";
  return schema["items"] === undefined ? undefined : "array";
}

/** Schemas of which one holds (`anyOf`, `oneOf`), or all (`allOf`). */
export function branchesOf(schema: JsonObject, keyword: "anyOf" | "oneOf" | "allOf"): unknown[] {
  const branches = schema[keyword];
  return Array.isArray(branches) ? branches : [];
}

/** Named properties of a schema and of everything inside it. */
export function countFields(root: unknown): number {
  const walk = new SchemaWalk(root);
  const count = (rawSchema: unknown, level: number): number => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return 0;
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const inside = [
      ...properties,
      schema["items"],
      schema["additionalProperties"],
      ...branchesOf(schema, "anyOf"),
      ...branchesOf(schema, "oneOf"),
      ...branchesOf(schema, "allOf"),
    ];
    return inside.reduce<number>(
      (sum, one) => sum + (isObject(one) ? count(one, level + 1) : 0),
      properties.length,
    );
  };
  return count(root, 0);
}
