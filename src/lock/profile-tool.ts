import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { hasOpenList } from "./answer-list.ts";
import { answerWorstCase } from "./answer-worst-case.ts";
import { limitParameters } from "./limit-parameters.ts";
import { percentOf } from "./percent.ts";
import type { RecordedAnswers } from "./recorded-sizes.ts";
import type { ToolReview } from "./recommendations.ts";
import { countFields } from "#wire/schema-walk.ts";

/** `raw` as the server wrote it. */
export function profileTool(
  definition: ToolDefinition,
  raw: JsonObject,
  terms: {
    readonly windowTokens: number;
    readonly thresholds: RiskThresholds;
    readonly recorded?: RecordedAnswers;
  },
): ToolReview {
  const { windowTokens, thresholds } = terms;
  const recorded = terms.recorded?.of(definition.name);
  // A profile has the bound of an answer in their place.
  const { narrowing_parameters: _parameters, ...tokens } = definition;
  const worstCase = answerWorstCase(raw, thresholds);
  return {
    tool: {
      ...tokens,
      percent_window: percentOf(tokens.tokens, windowTokens),
      input_fields: countFields(memberAt(raw, "inputSchema")),
      output_fields: countFields(memberAt(raw, "outputSchema")),
      worst_case: worstCase,
      ...(recorded && { recorded }),
      risk: worstCase.is_assumed ? null : worstCase.tier,
    },
    description: textAt(raw, "description") ?? "",
    limitParameters: limitParameters(raw),
    hasOpenList: hasOpenList(memberAt(raw, "outputSchema")),
  };
}
