import { classifyRisk, type RiskThresholds } from "#tokens/cost/risk.ts";
import { type JsonObject, isObject, readMember } from "#wire/json.ts";
import type { WorstCase } from "./recommendations.ts";
import {
  jsonCharactersPerToken,
  itemTokensDefault,
  estimateItemTokens,
  schemaSizeMax,
  findSizeLimit,
} from "./answer-size.ts";
import {
  findCountMaximum,
  findSizeMaximum,
  pickSmallest,
  type Maximum,
  schemaMaximumMax,
} from "./limit-parameters.ts";
import { listBranches, SchemaWalk, inferType } from "#wire/schema-walk.ts";

// Assumed for an unbounded answer.
const assumedItemCount = 100;

// For the keys, paging and totals around a bounded list.
const envelopeTokens = 50;

// For `unbounded`, the number is a warning, not a maximum.
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
    is_assumed: isAssumed(bound),
    tier: classifyRisk(tokens, thresholds),
    source: bound.kind === "unbounded" ? null : bound.source,
    base_tokens: bound.kind === "declared" ? null : bound.itemTokens,
    items: bound.kind === "bounded" ? bound.items : null,
  };
}

function isAssumed(bound: AnswerBound): boolean {
  if (bound.kind === "bounded") return bound.isItemAssumed;
  return bound.kind === "unbounded";
}

type AnswerBound =
  | { readonly kind: "declared"; readonly characters: number; readonly source: string }
  | {
      readonly kind: "bounded";
      readonly items: number;
      readonly itemTokens: number;
      readonly isItemAssumed: boolean;
      readonly source: string;
    }
  | { readonly kind: "unbounded"; readonly itemTokens: number };

export function findAnswerBound(tool: JsonObject): AnswerBound {
  const output = tool["outputSchema"];
  const declared = readMetaBound(tool) ?? readParameterBound(tool) ?? readSchemaBound(output);
  if (declared) return declared;
  const list = isObject(output) ? findAnswerList(output) : undefined;
  const outputTokens = isObject(output) ? estimateItemTokens(output) : itemTokensDefault;
  const itemTokens = list?.itemTokens ?? outputTokens;
  const maxima = [findCountMaximum(tool), makeListMaximum(list?.itemsMax)];
  const smallest = pickSmallest(maxima.filter((maximum) => maximum !== undefined));
  if (!smallest) return { kind: "unbounded", itemTokens };
  const isItemAssumed = list?.isItemLimited !== true;
  return {
    kind: "bounded",
    items: smallest.value,
    itemTokens,
    isItemAssumed,
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
  readonly isItemLimited: boolean;
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
      const isItemLimited = findSizeLimit(items, root) !== undefined;
      const itemsMax = readItemsMax(schema);
      return [{ itemTokens: estimateItemTokens(items, root), isItemLimited, itemsMax }];
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
    if (inferType(schema) === "array" && typeof schema["maxItems"] !== "number") return true;
    const subschemas = [...listSubschemas(schema), schema["items"]].filter(isObject);
    return subschemas.some((subschema) => isOpen(subschema, level + 1));
  };
  return isOpen(output, 0);
}
