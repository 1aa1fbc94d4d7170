import { expect, test } from "bun:test";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { profileTool } from "#lock/profile.ts";

const definition = {
  name: "t",
  tokens: 30,
  name_tokens: 1,
  description_tokens: 9,
  schema_tokens: 20,
  wire_only_tokens: 0,
  percent_total: 100,
  sha256: "",
};
const terms = { windowTokens: 1_000, thresholds: riskThresholdsDefault };

test.each([
  [
    "a declared size",
    { _meta: { "anthropic/maxResultSizeChars": 7_000 } },
    { tokens: 2_000, basis: "declared", is_assumed: false, base_tokens: null, items: null },
    "medium",
  ],
  [
    "a bounded list",
    { inputSchema: { properties: { limit: { maximum: 3 } } } },
    { tokens: 260, basis: "bounded", is_assumed: true, tier: "low", base_tokens: 70, items: 3 },
    null,
  ],
  [
    "a bounded list of closed items",
    { outputSchema: { type: "array", maxItems: 9, items: { type: "boolean" } } },
    { tokens: 68, basis: "bounded", is_assumed: false, base_tokens: 2, items: 9 },
    "low",
  ],
  [
    "nothing",
    {},
    { tokens: 7_000, basis: "unbounded", is_assumed: true, tier: "high", source: null },
    null,
  ],
])("profileTool: an answer bounded by %s", (_, raw, worst, risk) => {
  const { tool } = profileTool(definition, raw, terms);
  expect(tool).toMatchObject({ worst_case: worst, risk, percent_window: 3 });
});

test("profileTool counts fields and keeps what recommendations need", () => {
  const raw = {
    description: "Lists.",
    inputSchema: { properties: { limit: {}, q: {} } },
    outputSchema: { properties: { items: { type: "array" } } },
  };
  expect(profileTool(definition, raw, terms)).toMatchObject({
    tool: { input_fields: 2, output_fields: 1 },
    description: "Lists.",
    limitParameters: ["limit"],
    hasOpenList: true,
  });
});
