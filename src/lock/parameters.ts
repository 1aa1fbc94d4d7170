import { isObject, textAt, type JsonObject } from "#wire/json.ts";
import { SchemaWalk, typeOf } from "./schema-walk.ts";

/** One parameter of a tool; `name` is a path: `filter.since`, or `ids[].value` inside a list. */
export type Parameter = {
  readonly name: string;
  /** True when the object that holds it requires it. */
  readonly required: boolean;
  /** Its JSON Schema type; null for any. */
  readonly type: string | null;
};

/** Every named parameter of an input schema, at all levels, sorted by path. */
export function parametersOf(inputSchema: unknown): Parameter[] {
  const walk = new SchemaWalk(inputSchema);
  const found: Parameter[] = [];
  const collect = (rawSchema: unknown, path: string, level: number): void => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return;
    const { required } = schema;
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    for (const [key, rawOne] of Object.entries(propertiesOf(schema))) {
      const name = path === "" ? key : `${path}.${key}`;
      const one = walk.enter(rawOne, level + 1);
      const type = one === undefined ? null : (typeOf(one) ?? null);
      found.push({ name, required: names.includes(key), type });
      collect(one, name, level + 1);
    }
    if (schema["items"] !== undefined) collect(schema["items"], `${path}[]`, level + 1);
  };
  collect(inputSchema, "", 0);
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

/** Titles and descriptions inside a tool's schemas, each with its path: text that a model may read. */
export function schemaTexts(tool: JsonObject): string[] {
  const found: string[] = [];
  const collect = (value: unknown, place: string): void => {
    if (Array.isArray(value)) {
      for (const [at, one] of value.entries()) collect(one, `${place}/${at}`);
    }
    if (!isObject(value)) return;
    for (const key of ["title", "description"]) {
      const text = textAt(value, key);
      if (text !== undefined) found.push(`${place}/${key}: ${text}`);
    }
    for (const [key, one] of Object.entries(value)) collect(one, `${place}/${key}`);
  };
  collect(tool["inputSchema"], "in");
  collect(tool["outputSchema"], "out");
  return found.toSorted();
}
