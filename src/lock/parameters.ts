import { isObject, textAt, type JsonObject } from "#wire/json.ts";
import { SchemaWalk, typeOf } from "./schema-walk.ts";

/** One parameter of a tool; `name` is a path, as `filter.since`, or `ids[].value` inside a list. */
export type Parameter = {
  readonly name: string;
  /** True when its own object requires it. */
  readonly required: boolean;
  /** JSON Schema's type; null where any will do. */
  readonly type: string | null;
};

/** Every named parameter of an input schema, at all levels, sorted by path. */
export function parametersOf(inputSchema: unknown): Parameter[] {
  const walk = new SchemaWalk(inputSchema);
  const found: Parameter[] = [];
  const look = (rawSchema: unknown, path: string, level: number): void => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return;
    const { required } = schema;
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    for (const [key, rawOne] of Object.entries(propertiesOf(schema))) {
      const name = path === "" ? key : `${path}.${key}`;
      const one = walk.enter(rawOne, level + 1);
      const type = one === undefined ? null : (typeOf(one) ?? null);
      found.push({ name, required: names.includes(key), type });
      look(one, name, level + 1);
    }
    if (schema["items"] !== undefined) look(schema["items"], `${path}[]`, level + 1);
  };
  look(inputSchema, "", 0);
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

/** What a tool says to a model beside its description: titles and descriptions of its schemas, by place. */
export function schemaTexts(tool: JsonObject): string[] {
  const found: string[] = [];
  const look = (value: unknown, place: string): void => {
    if (Array.isArray(value)) {
      for (const [at, one] of value.entries()) look(one, `${place}/${at}`);
    }
    if (!isObject(value)) return;
    for (const key of ["title", "description"]) {
      const text = textAt(value, key);
      if (text !== undefined) found.push(`${place}/${key}: ${text}`);
    }
    for (const [key, one] of Object.entries(value)) look(one, `${place}/${key}`);
  };
  look(tool["inputSchema"], "in");
  look(tool["outputSchema"], "out");
  return found.toSorted();
}
