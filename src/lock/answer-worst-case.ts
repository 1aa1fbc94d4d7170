import { classifyRisk, type RiskThresholds } from "#cost/risk.ts";
import type { JsonObject } from "#wire/json.ts";
import { answerBound, type AnswerBound } from "./answer-bound.ts";
import { charactersPerToken } from "./item-size.ts";
import type { WorstCase } from "./profiled-tool.ts";

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
