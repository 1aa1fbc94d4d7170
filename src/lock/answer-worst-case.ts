import { classifyRisk, type RiskThresholds } from "#tokens/cost/risk.ts";
import type { JsonObject } from "#wire/json.ts";
import { answerBound, type AnswerBound } from "./answer-bound.ts";
import type { WorstCase } from "./profiled-tool.ts";
import { worstCaseTokens } from "./worst-case.ts";

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
