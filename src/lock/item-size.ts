import { isObject, type JsonObject } from "#wire/json.ts";
import { branchesOf, SchemaWalk, typeOf } from "./schema-walk.ts";

/** Characters of JSON text that one token stands for, in bounds that are known before any answer is. */
export const charactersPerToken = 3.5;

/** Characters of a value of which the schema says no more than its type. */
const typicalCharacters: { readonly [type: string]: number } = {
  boolean: 5,
  integer: 6,
  number: 8,
  null: 4,
  string: 40,
};

/** Characters of a formatted string, quotes included. */
const formatCharacters: { readonly [format: string]: number } = {
  date: 12,
  time: 16,
  "date-time": 26,
  duration: 12,
  uuid: 38,
  email: 30,
  ipv4: 17,
  ipv6: 41,
  uri: 60,
  url: 60,
};

/**
 * Tokens of an item of which nothing is known: the median over the list items that public servers do
 * describe; see docs/adr/0106-static-bounds.md.
 */
export const baseTokensDefault = 70;

/** Items assumed of a list inside an item when the schema allows that many. */
const innerItems = 3;

/** Characters of an object's quotes around a key, its colon and its comma. */
const perField = 4;

/**
 * Tokens of one item of that schema as compact JSON: its keys and a typical value for each type, the
 * longest of an `enum`, `maxLength` where there is one. At least 1.
 */
export function itemTokens(schema: unknown, root: unknown = schema): number {
  const characters = itemCharacters(schema, new SchemaWalk(root), 0);
  return Math.max(1, Math.ceil(characters / charactersPerToken));
}

function itemCharacters(rawSchema: unknown, walk: SchemaWalk, level: number): number {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return typicalCharacters["string"] ?? 0;
  const known = fixedCharacters(schema);
  if (known !== undefined) return known;
  const inside = (one: unknown): number => itemCharacters(one, walk, level + 1);
  const either = [...branchesOf(schema, "anyOf"), ...branchesOf(schema, "oneOf")];
  const parts = branchesOf(schema, "allOf").reduce<number>((sum, one) => sum + inside(one), 0);
  const type = typeOf(schema);
  if (type === "object") return parts + objectCharacters(schema, inside);
  if (type === "array") {
    const { items, maxItems } = schema;
    const isShort = typeof maxItems === "number" && maxItems >= 0;
    const count = isShort ? Math.min(maxItems, innerItems) : innerItems;
    return 2 + count * (inside(items ?? {}) + 1);
  }
  if (either.length > 0) return parts + Math.max(...either.map(inside));
  if (parts > 0) return parts;
  return typicalCharacters[type ?? "string"] ?? typicalCharacters["string"] ?? 0;
}

function objectCharacters(schema: JsonObject, inside: (one: unknown) => number): number {
  const { properties, additionalProperties } = schema;
  const fields = Object.entries(isObject(properties) ? properties : {});
  const isUntold = fields.length === 0 && !isObject(additionalProperties);
  if (isUntold) return baseTokensDefault * charactersPerToken;
  let characters = 2;
  for (const [key, value] of fields) characters += key.length + perField + inside(value);
  if (isObject(additionalProperties)) {
    characters +=
      innerItems * (inside({ type: "string" }) + perField + inside(additionalProperties));
  }
  return characters;
}

/** A size beyond this bounds nothing: schema generators write 2^53 − 1 where there is no limit. */
export const sizeMax = 1_000_000_000;

/** Characters of a value whose schema bounds it: by `const`, `enum`, `maxLength` or `format`. */
export function fixedCharacters(schema: JsonObject): number | undefined {
  if (schema["const"] !== undefined) return written(schema["const"]);
  const { enum: values, maxLength, format } = schema;
  if (Array.isArray(values) && values.length > 0) return Math.max(...values.map(written));
  const isBound = typeof maxLength === "number" && maxLength >= 0 && maxLength <= sizeMax;
  if (isBound) return maxLength;
  return typeof format === "string" ? formatCharacters[format] : undefined;
}

function written(value: unknown): number {
  return JSON.stringify(value).length;
}
