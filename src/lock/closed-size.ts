import { isObject } from "#wire/json.ts";
import { fixedCharacters } from "./item-size.ts";
import { SchemaWalk, typeOf } from "#wire/schema-walk.ts";

/** Most bytes; undefined when it holds a list or a value of unlimited length. */
export function closedSize(schema: unknown, root: unknown = schema): number | undefined {
  return sizeOf(schema, new SchemaWalk(root), 0);
}

function sizeOf(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const fixed = fixedCharacters(schema);
  if (fixed !== undefined) return fixed;
  const type = typeOf(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const isOpen = isObject(schema["additionalProperties"]) || properties.length === 0;
    return isOpen ? undefined : sum(properties.map((one) => sizeOf(one, walk, level + 1)));
  }
  return closedScalars.get(type);
}

const closedScalars: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 20],
  ["number", 24],
  ["null", 4],
]);

function sum(parts: readonly (number | undefined)[]): number | undefined {
  return parts.reduce<number | undefined>(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0,
  );
}
