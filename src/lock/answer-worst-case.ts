import { classifyRisk, type RiskThresholds } from "#tokens/cost/risk.ts";
import { type JsonObject, isObject, readMember } from "#wire/json.ts";
import type { WorstCase } from "./recommendations.ts";
import {
  findCountMaximum,
  findSizeMaximum,
  pickSmallest,
  type Maximum,
  schemaMaximumMax,
} from "./limit-parameters.ts";
import { listBranches, SchemaWalk, inferType } from "#wire/schema-walk.ts";

// Assumed for an answer without a limit on its size.
const assumedItemCount = 100;

// For keys, paging and totals around a bounded list.
const envelopeTokens = 50;

// Not a strict maximum: the size of an item is an estimate, and the number of items may be assumed.
export function estimateWorstCase(bound: AnswerBound): number {
  switch (bound.kind) {
    case "declared":
      return Math.ceil(bound.characters / jsonCharactersPerToken);
    case "bounded":
      return bound.itemTokens * bound.items + envelopeTokens;
    case "unbounded":
      return bound.itemTokens * assumedItemCount;
  }
}

export function computeWorstCase(definition: JsonObject, thresholds: RiskThresholds): WorstCase {
  const bound = findAnswerBound(definition);
  const tokens = estimateWorstCase(bound);
  return {
    tokens,
    basis: bound.kind,
    is_assumed: bound.kind === "unbounded" || (bound.kind === "bounded" && bound.isItemSizeAssumed),
    tier: classifyRisk(tokens, thresholds),
    source: bound.kind === "unbounded" ? null : bound.source,
    base_tokens: bound.kind === "declared" ? null : bound.itemTokens,
    items: bound.kind === "bounded" ? bound.items : null,
  };
}

type AnswerBound =
  | { readonly kind: "declared"; readonly characters: number; readonly source: string }
  | {
      readonly kind: "bounded";
      readonly items: number;
      readonly itemTokens: number;
      readonly isItemSizeAssumed: boolean;
      readonly source: string;
    }
  | { readonly kind: "unbounded"; readonly itemTokens: number };

export function findAnswerBound(tool: JsonObject): AnswerBound {
  const output = tool["outputSchema"];
  const declared = readMetaBound(tool) ?? readParameterBound(tool) ?? readSchemaBound(output);
  if (declared) return declared;
  const list = isObject(output) ? findAnswerList(output) : undefined;
  const outputTokens = isObject(output) ? estimateValueTokens(output) : itemTokensDefault;
  const itemTokens = list?.itemTokens ?? outputTokens;
  const maxima = [findCountMaximum(tool), makeListMaximum(list?.itemsMax)];
  const smallest = pickSmallest(maxima.filter((maximum) => maximum !== undefined));
  if (!smallest) return { kind: "unbounded", itemTokens };
  const isItemSizeAssumed = list?.isItemSizeLimited !== true;
  return {
    kind: "bounded",
    items: smallest.value,
    itemTokens,
    isItemSizeAssumed,
    source: smallest.source,
  };
}

function makeListMaximum(itemsMax: number | undefined): Maximum | undefined {
  return itemsMax === undefined ? undefined : { value: itemsMax, source: "outputSchema maxItems" };
}

function readMetaBound(tool: JsonObject): AnswerBound | undefined {
  const characters = readMember(tool, "_meta", "anthropic/maxResultSizeChars");
  if (typeof characters !== "number" || !(characters > 0) || characters > schemaSizeMax)
    return undefined;
  return {
    kind: "declared",
    characters: Math.ceil(characters),
    source: "anthropic/maxResultSizeChars",
  };
}

function readParameterBound(tool: JsonObject): AnswerBound | undefined {
  const maximum = findSizeMaximum(tool);
  return maximum && { kind: "declared", characters: maximum.value, source: maximum.source };
}

function readSchemaBound(output: unknown): AnswerBound | undefined {
  const characters = isObject(output) ? findSizeLimit(output) : undefined;
  if (characters === undefined) return undefined;
  return { kind: "declared", characters, source: "outputSchema maxLength" };
}

type AnswerList = {
  readonly itemTokens: number;
  readonly isItemSizeLimited: boolean;
  readonly itemsMax: number | undefined;
};

export function findAnswerList(root: JsonObject): AnswerList | undefined {
  const lists = collectOutermostLists(root);
  const openLists = lists.filter(({ itemsMax }) => itemsMax === undefined);
  const computeCost = ({ itemTokens, itemsMax = 1 }: AnswerList): number => itemTokens * itemsMax;
  return (openLists.length > 0 ? openLists : lists).toSorted(
    (a, b) => computeCost(b) - computeCost(a),
  )[0];
}

function collectOutermostLists(root: JsonObject): AnswerList[] {
  const walk = new SchemaWalk(root);
  const collect = (rawSchema: unknown, level: number): AnswerList[] => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return [];
    if (inferType(schema) === "array") {
      const items = schema["items"] ?? {};
      const isItemSizeLimited = findSizeLimit(items, root) !== undefined;
      const itemsMax = readItemsMax(schema);
      return [{ itemTokens: estimateValueTokens(items, root), isItemSizeLimited, itemsMax }];
    }
    return listSubschemas(schema).flatMap((subschema) => collect(subschema, level + 1));
  };
  return collect(root, 0);
}

function readItemsMax({ maxItems }: JsonObject): number | undefined {
  const isStated = typeof maxItems === "number" && maxItems >= 0 && maxItems <= schemaMaximumMax;
  return isStated ? Math.floor(maxItems) : undefined;
}

function listSubschemas(schema: JsonObject): unknown[] {
  const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
  const branches = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) =>
    listBranches(schema, key),
  );
  return [...properties, ...branches];
}

export function hasOpenList(output: unknown): boolean {
  const walk = new SchemaWalk(output);
  const isOpen = (rawSchema: unknown, level: number): boolean => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return false;
    if (inferType(schema) === "array" && readItemsMax(schema) === undefined) return true;
    const subschemas = [...listSubschemas(schema), schema["items"]].filter(isObject);
    return subschemas.some((subschema) => isOpen(subschema, level + 1));
  };
  return isOpen(output, 0);
}

// In characters. A schema that states a size above this does not really limit its answers.
export const schemaSizeMax = 1_000_000_000;

// An assumed ratio, because there is no answer yet to count.
const jsonCharactersPerToken = 3.5;

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

// Times are assumed to have nanoseconds. Durations and URLs have no longest form.
const formatCharactersMax: ReadonlyMap<unknown, number> = new Map([
  ["date", 12],
  ["time", 26],
  ["date-time", 37],
  ["uuid", 38],
  ["email", 256],
  ["ipv4", 17],
  ["ipv6", 47],
]);

// The median size of a list item, estimated from schemas of public servers (docs/adr/0020-bounds-of-answers.md).
export const itemTokensDefault = 70;

// Assumed for a list inside an item, and for the members that `additionalProperties` describes.
const innerItemCount = 3;

// Two quotes, a colon and a comma.
const fieldCharacters = 4;

const bracketCharacters = 2;

const commaCharacters = 1;

export function estimateValueTokens(schema: unknown, root: unknown = schema): number {
  const characters = estimateCharacters(schema, new SchemaWalk(root), 0);
  return Math.max(1, Math.ceil(characters / jsonCharactersPerToken));
}

type Measure = (subschema: unknown) => number;

function estimateCharacters(rawSchema: unknown, walk: SchemaWalk, level: number): number {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return usualStringCharacters;
  const stated = findStatedSize(schema, usualFormatCharacters);
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

function findStatedSize(
  schema: JsonObject,
  formatCharacters: ReadonlyMap<unknown, number>,
): number | undefined {
  if (schema["const"] !== undefined) return measureJson(schema["const"]);
  const { enum: values, maxLength, format } = schema;
  if (Array.isArray(values) && values.length > 0) return Math.max(...values.map(measureJson));
  if ((inferType(schema) ?? "string") !== "string") return undefined;
  const isLimited = typeof maxLength === "number" && maxLength >= 0 && maxLength <= schemaSizeMax;
  return isLimited ? maxLength : formatCharacters.get(format);
}

function measureJson(value: unknown): number {
  return JSON.stringify(value).length;
}

// The most characters that all values together can have, not counting keys. Undefined if the schema has a list
// or an unlimited value.
export function findSizeLimit(schema: unknown, root: unknown = schema): number | undefined {
  return measureSchema(schema, new SchemaWalk(root), 0);
}

// Keywords that may allow an object more members than its `properties`.
const openingKeywords = ["allOf", "anyOf", "oneOf", "if", "patternProperties"];

function measureSchema(rawSchema: unknown, walk: SchemaWalk, level: number): number | undefined {
  const schema = walk.enter(rawSchema, level);
  if (!schema) return undefined;
  const { type: types } = schema;
  if (Array.isArray(types) && types.length > 1) {
    const sizes = types.map((type) => measureSchema({ ...schema, type }, walk, level));
    return sizes.reduce(
      (most, size) => (most !== undefined && size !== undefined ? Math.max(most, size) : undefined),
      0,
    );
  }
  const stated = findStatedSize(schema, formatCharactersMax);
  if (stated !== undefined) return stated;
  const type = inferType(schema);
  if (type === "object") {
    const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
    const { additionalProperties: others } = schema;
    const mayHaveOthers = isObject(others) || others === true || properties.length === 0;
    const isOpen =
      mayHaveOthers || openingKeywords.some((keyword) => Object.hasOwn(schema, keyword));
    const sizes = properties.map((property) => measureSchema(property, walk, level + 1));
    const known = sizes.filter((size) => size !== undefined);
    if (isOpen || known.length < sizes.length) return undefined;
    return known.reduce((sum, size) => sum + size, 0);
  }
  return charactersMax.get(type);
}
