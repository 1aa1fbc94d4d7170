import { expect, test } from "bun:test";
import type { ValidatedModel } from "#history/imports/validate/validation-report.ts";
import { buildValidationDocument } from "#screens/renderers/documents/logs/validate.ts";
import { render } from "#screens/renderers/index.ts";

const row: ValidatedModel = {
  platform: "claude-code",
  model: "claude-opus-4-8",
  estimator: "claude",
  confidence: "medium",
  estimation_method: "bpe-scaled",
  from: "2026-03-01T09:00:00.000Z",
  to: "2026-03-14T09:00:00.000Z",
  requests: 1_204,
  input_tokens: 61_200_000,
  cache_read_tokens: 58_752_000,
  output_tokens: 800_000,
  steps: 1_180,
  clean_steps: 312,
  left_out_steps: {
    no_answer: 0,
    other_text: 604,
    other_tools: 0,
    reasoning: 201,
    boundary: 63,
    unmeasured: 0,
  },
  native_tokens: 400_000,
  estimated_tokens: 380_000,
  difference_tokens: -20_000,
  difference_share: -0.05,
  framing_tokens_per_step: 38,
  scale: 1.04,
  median_error: 0.06,
  error_10: 0.01,
  error_90: 0.14,
  median_error_scaled: 0.05,
  confidence_distribution: { high: 0, medium: 312, low: 0 },
  estimation_quality: "good",
  entered_answer_tokens: 378_000,
  entered_tokens: 2_100_000,
  carried_call_tokens: 18_972_000,
  mean_rereads: 46,
  impossible_requests: 0,
};

function printText(models: readonly ValidatedModel[]): string {
  const report = {
    schema_version: "1.0" as const,
    models,
    worst_median_error: null,
    impossible_requests: 0,
  };
  return render(
    "table",
    { document: buildValidationDocument(report), data: report },
    { color: false },
  );
}

test("a model in one block", () => {
  expect(printText([row])).toBe(`Estimates of 1 model, 1 with a verdict

claude-code, claude-opus-4-8, 2026-03-01 to 2026-03-14

requests     1,204, input 61,200,000 (96% read from cache), output 800,000, as the client logged them
clean steps  312 of 1,180 add MCP answers and nothing else to a request; left out: 604 with other text, 201 with reasoning, 63 at a compaction, clearing or model change
estimator    claude ●●○, good: median error 6.0%, error below 14% in 9 of 10 steps; scale 1.04, framing 38 tokens per step
new answers  MCP answers are ~18% of the 2,100,000 tokens that entered contexts, not counting tokens that were sent again
carried      MCP calls are ~31% of the 61,200,000 input tokens, each answer re-sent 46× on average
impossible   none: no request has fewer input tokens than we estimate for the answers
`);
});

test("without a verdict, times and tokens", () => {
  const text = printText([
    {
      ...row,
      model: null,
      from: null,
      to: null,
      median_error: null,
      input_tokens: 0,
      entered_tokens: 0,
      mean_rereads: null,
    },
  ]);
  expect(text).toContain("claude-code, unknown model\n\n");
  expect(text).toContain("claude ●●○, no verdict: needs 30 clean steps");
  expect(text).toContain("new answers  none\ncarried      none\n");
});
