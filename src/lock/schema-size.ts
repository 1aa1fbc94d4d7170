import { isObject, type JsonObject } from "#wire/json.ts";
import { listBranches, SchemaWalk, inferType } from "#wire/schema-walk.ts";

// A larger size is not a real bound, like a maximum above `schemaMaximumMax`.
export const schemaSizeMax = 1_000_000_000;

// Assumed for JSON text before any answer is known.
export const jsonCharactersPerToken = 3.5;

const usualCharacters: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 6],
  ["number", 8],
  ["null", 4],
]);

const charactersMax: ReadonlyMap<unknown, number> = new Map([
  ["boolean", 5],
  ["integer", 20],
  ["number", 24],
  ["null", 4],
]);

const usualStringCharacters = 40;

// Lengths include the quotes.
const usualFormatCharacters: ReadonlyMap<unknown, number> = new Map([
  ["date", 12],
  ["time", 16],
  ["date-time", 26],
  ["duration", 12],
  ["uuid", 38],
  ["email", 30],
  ["ipv4", 17],
  ["ipv6", 41],
  ["uri", 60],
  ["url", 60],
]);

// Times have nanoseconds. Durations and URLs have no longest form.
const formatCharactersMax: ReadonlyMap<unknown, number> = new Map([
  ["date", 12],
  ["time", 26],
  ["date-time", 37],
  ["uuid", 38],
  ["email", 256],
  ["ipv4", 17],
  ["ipv6", 47],
]);

// Median of the list items that public servers describe (docs/adr/0026-bounds-of-answers.md).
export const itemTokensDefault = 70;

// Assumed for a list inside an item.
const innerItemCount = 3;

// Two quotes, a colon and a comma.
const fieldCharacters = 4;

const bracketCharacters = 2;

const commaCharacters = 1;

export function estimateItemTokens(schema: unknown, root: unknown = schema): number {
  const characters = estimateCharacters(schema, new SchemaWalk(root), 0);
  return Math.max(1, Math.ceil(characters / jsonCharactersPerToken));
}

type Measure = (subschema: unknown) => number;

function estimateCharacters(rawSchema: unknown, walk: SchemaWalk, level: number): number {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return usualStringCharacters;
  const stated = findStatedMaximum(schema) ?? usualFormatCharacters.get(schema["format"]);
  if (stated !== undefined) return stated;
  const measureNested: Measure = (subschema) => estimateCharacters(subschema, walk, level + 1);
  const allOfCharacters = listBranches(schema, "allOf").reduce<number>(
    (sum, branch) => sum + measureNested(branch),
    0,
  );
  const type = inferType(schema);
  if (type === "object") return allOfCharacters + estimateObject(schema, measureNested);
  if (type === "array") return estimateList(schema, measureNested);
  const alternatives = [...listBranches(schema, "anyOf"), ...listBranches(schema, "oneOf")];
  if (alternatives.length > 0)
    return allOfCharacters + Math.max(...alternatives.map(measureNested));
  if (allOfCharacters > 0) return allOfCharacters;
  return usualCharacters.get(type) ?? usualStringCharacters;
}

function estimateList({ items, maxItems }: JsonObject, measureNested: Measure): number {
  const isLimited = typeof maxItems === "number" && maxItems >= 0;
  const count = isLimited ? Math.min(maxItems, innerItemCount) : innerItemCount;
  return bracketCharacters + count * (measureNested(items ?? {}) + commaCharacters);
}

function estimateObject(schema: JsonObject, measureNested: Measure): number {
  const { properties, additionalProperties } = schema;
  const fields = Object.entries(isObject(properties) ? properties : {});
  const isUndescribed = fields.length === 0 && !isObject(additionalProperties);
  if (isUndescribed) return itemTokensDefault * jsonCharactersPerToken;
  let characters = bracketCharacters;
  for (const [key, value] of fields)
    characters += key.length + fieldCharacters + measureNested(value);
  if (isObject(additionalProperties)) {
    characters +=
      innerItemCount *
      (usualStringCharacters + fieldCharacters + measureNested(additionalProperties));
  }
  return characters;
}

function findStatedMaximum(schema: JsonObject): number | undefined {
  if (schema["const"] !== undefined) return measureJson(schema["const"]);
  const { enum: values, maxLength } = schema;
  if (Array.isArray(values) && values.length > 0) return Math.max(...values.map(measureJson));
  const isLimited = typeof maxLength === "number" && maxLength >= 0 && maxLength <= schemaSizeMax;
  return isLimited ? maxLength : undefined;
}

function measureJson(value: unknown): number {
  return JSON.stringify(value).length;
}

// Maximum characters of all values, without keys; undefined with a list or an unlimited value.
export function findSizeLimit(schema: unknown, root: unknown = schema): number | undefined {
  return measureSchema(schema, new SchemaWalk(root), 0);
}

function measureSchema(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const stated = findStatedMaximum(schema) ?? formatCharactersMax.get(schema["format"]);
  if (stated !== undefined) return stated;
  const type = inferType(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const isOpen = isObject(schema["additionalProperties"]) || properties.length === 0;
    const sizes = properties.map((property) => measureSchema(property, walk, level + 1));
    const known = sizes.filter((size) => size !== undefined);
    if (isOpen || known.length < sizes.length) return undefined;
    return known.reduce((sum, size) => sum + size, 0);
  }
  return charactersMax.get(type);
}
