import type { ToolDefinition } from "#cost/definitions-cost.ts";
import { classifyRisk, type RiskThresholds } from "#cost/risk.ts";
import { memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { answerBound, type AnswerBound } from "./answer-bound.ts";
import { hasOpenList } from "./answer-list.ts";
import { limitParameters } from "./limit-parameters.ts";
import { percentOf } from "./percent.ts";
import type { WorstCase } from "./profiled-tool.ts";
import type { ToolReview } from "./recommendations.ts";
import { countFields } from "#wire/schema-walk.ts";
import { worstCaseTokens } from "./worst-case.ts";

/** Profiles one tool; `raw` is its definition as the server wrote it. */
export function profileTool(
  definition: ToolDefinition,
  raw: JsonObject,
  terms: { readonly windowTokens: number; readonly thresholds: RiskThresholds },
): ToolReview {
  const { windowTokens, thresholds } = terms;
  // A profile has the bound of an answer in their place.
  const { narrowing_parameters: _parameters, ...tokens } = definition;
  const worstCase = describeWorstCase(answerBound(raw), thresholds);
  return {
    tool: {
      ...tokens,
      percent_window: percentOf(tokens.tokens, windowTokens),
      input_fields: countFields(memberAt(raw, "inputSchema")),
      output_fields: countFields(memberAt(raw, "outputSchema")),
      worst_case: worstCase,
      risk: worstCase.is_assumed ? null : worstCase.tier,
    },
    description: textAt(raw, "description") ?? "",
    limitParameters: limitParameters(raw),
    hasOpenList: hasOpenList(memberAt(raw, "outputSchema")),
  };
}

function describeWorstCase(bound: AnswerBound, thresholds: RiskThresholds): WorstCase {
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
