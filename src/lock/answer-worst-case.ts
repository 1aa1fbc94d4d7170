import { classifyRisk, type RiskThresholds } from "#tokens/cost/risk.ts";
import { type JsonObject, isObject, memberAt } from "#wire/json.ts";
import type { WorstCase } from "./profiled-tool.ts";
import { charactersPerToken, baseTokensDefault, itemTokens, schemaSizeMax } from "./item-size.ts";
import { findAnswerList } from "./answer-list.ts";
import { closedSize } from "./closed-size.ts";
import { countMaximum, sizeMaximum, smallestMaximum, type Maximum } from "./limit-parameters.ts";

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
