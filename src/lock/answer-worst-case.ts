import { classifyRisk, type RiskThresholds } from "#tokens/cost/risk.ts";
import { type JsonObject, isObject, memberAt } from "#wire/json.ts";
import type { WorstCase } from "./recommendations.ts";
import {
  charactersPerToken,
  baseTokensDefault,
  itemTokens,
  schemaSizeMax,
  closedSize,
} from "./item-size.ts";
import { countMaximum, sizeMaximum, smallestMaximum, type Maximum } from "./answer-limits.ts";
import { schemaMaximumMax } from "./limits.ts";
import { branchesOf, SchemaWalk, typeOf } from "#wire/schema-walk.ts";

const unboundedItems = 100;

/** Keys, paging and totals around a bounded list. */
const envelopeTokens = 50;

/** ⌈bytes ÷ 3.5⌉, base × items + 50, or base × 100 for an unbounded answer: a warning, not a maximum. */
export function worstCaseTokens(bound: AnswerBound): number {
  switch (bound.kind) {
    case "declared":
      return Math.ceil(bound.bytes / charactersPerToken);
    case "bounded":
      return bound.baseTokens * bound.items + envelopeTokens;
    case "unbounded":
      return bound.baseTokens * unboundedItems;
  }
}

export function answerWorstCase(definition: JsonObject, thresholds: RiskThresholds): WorstCase {
  const bound = answerBound(definition);
  const tokens = worstCaseTokens(bound);
  return {
    tokens,
    basis: bound.kind,
    is_assumed: isAssumed(bound),
    tier: classifyRisk(tokens, thresholds),
    source: bound.kind === "unbounded" ? null : bound.source,
    base_tokens: bound.kind === "declared" ? null : bound.baseTokens,
    items: bound.kind === "bounded" ? bound.items : null,
  };
}

function isAssumed(bound: AnswerBound): boolean {
  if (bound.kind === "bounded") return bound.isItemAssumed;
  return bound.kind === "unbounded";
}

type AnswerBound =
  /** `source` names the part of the definition that declares it. */
  | { readonly kind: "declared"; readonly bytes: number; readonly source: string }
  /** The most items, and the tokens of each. */
  | {
      readonly kind: "bounded";
      readonly items: number;
      readonly baseTokens: number;
      /** The definition does not limit every value of an item. */
      readonly isItemAssumed: boolean;
      readonly source: string;
    }
  | { readonly kind: "unbounded"; readonly baseTokens: number };

// A declared size, else a bounded list, else none.
export function answerBound(tool: JsonObject): AnswerBound {
  const output = tool["outputSchema"];
  const declared = declaredByMeta(tool) ?? declaredByParameter(tool) ?? declaredBySchema(output);
  if (declared) return declared;
  const list = isObject(output) ? findAnswerList(output) : undefined;
  const whole = isObject(output) ? itemTokens(output) : baseTokensDefault;
  const baseTokens = list?.baseTokens ?? whole;
  const maxima = [countMaximum(tool), listMaximum(list?.itemsMax)];
  const most = smallestMaximum(maxima.filter((one) => one !== undefined));
  if (!most) return { kind: "unbounded", baseTokens };
  const isItemAssumed = list?.isItemClosed !== true;
  return { kind: "bounded", items: most.at, baseTokens, isItemAssumed, source: most.source };
}

function listMaximum(itemsMax: number | undefined): Maximum | undefined {
  return itemsMax === undefined ? undefined : { at: itemsMax, source: "outputSchema maxItems" };
}

function declaredByMeta(tool: JsonObject): AnswerBound | undefined {
  const bytes = memberAt(tool, "_meta", "anthropic/maxResultSizeChars");
  if (typeof bytes !== "number" || !(bytes > 0) || bytes > schemaSizeMax) return undefined;
  return { kind: "declared", bytes: Math.ceil(bytes), source: "anthropic/maxResultSizeChars" };
}

function declaredByParameter(tool: JsonObject): AnswerBound | undefined {
  const most = sizeMaximum(tool);
  return most && { kind: "declared", bytes: most.at, source: most.source };
}

// A size is declared when there is no list and every length is known.
function declaredBySchema(output: unknown): AnswerBound | undefined {
  const bytes = isObject(output) ? closedSize(output) : undefined;
  if (bytes === undefined) return undefined;
  return { kind: "declared", bytes, source: "outputSchema maxLength" };
}

type AnswerList = {
  /** Tokens of an item. */
  readonly baseTokens: number;
  /** The schema limits every value of an item, so `baseTokens` is not an assumption. */
  readonly isItemClosed: boolean;
  /** Undefined when unlimited. */
  readonly itemsMax: number | undefined;
};

/** The outermost list: the most expensive without a limit, else the most expensive. */
export function findAnswerList(root: JsonObject): AnswerList | undefined {
  const lists = outermostLists(root);
  const open = lists.filter(({ itemsMax }) => itemsMax === undefined);
  const cost = ({ baseTokens, itemsMax = 1 }: AnswerList): number => baseTokens * itemsMax;
  return (open.length > 0 ? open : lists).toSorted((one, other) => cost(other) - cost(one))[0];
}

function outermostLists(root: JsonObject): AnswerList[] {
  const walk = new SchemaWalk(root);
  const collect = (rawSchema: unknown, level: number): AnswerList[] => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return [];
    if (typeOf(schema) === "array") {
      const items = schema["items"] ?? {};
      const isItemClosed = closedSize(items, root) !== undefined;
      const itemsMax = statedItemsMax(schema);
      return [{ baseTokens: itemTokens(items, root), isItemClosed, itemsMax }];
    }
    return partsOf(schema).flatMap((part) => collect(part, level + 1));
  };
  return collect(root, 0);
}

function statedItemsMax({ maxItems }: JsonObject): number | undefined {
  const isStated = typeof maxItems === "number" && maxItems >= 0 && maxItems <= schemaMaximumMax;
  return isStated ? Math.floor(maxItems) : undefined;
}

function partsOf(schema: JsonObject): unknown[] {
  const properties = isObject(schema["properties"]) ? Object.values(schema["properties"]) : [];
  const branches = (["anyOf", "oneOf", "allOf"] as const).flatMap((key) => branchesOf(schema, key));
  return [...properties, ...branches];
}

export function hasOpenList(output: unknown): boolean {
  const walk = new SchemaWalk(output);
  const isOpen = (rawSchema: unknown, level: number): boolean => {
    const schema = walk.enter(rawSchema, level);
    if (!schema) return false;
    if (typeOf(schema) === "array" && typeof schema["maxItems"] !== "number") return true;
    const parts = [...partsOf(schema), schema["items"]].filter(isObject);
    return parts.some((part) => isOpen(part, level + 1));
  };
  return isOpen(output, 0);
}
