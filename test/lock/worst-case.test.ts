import { expect, test } from "bun:test";
import { classifyRisk, riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { estimateWorstCase } from "#lock/answer-worst-case.ts";

test.each([
  [
    { kind: "bounded", items: 50, itemTokens: 28, isItemSizeAssumed: true, source: "limit" },
    1_450,
    "medium",
  ],
  [{ kind: "unbounded", itemTokens: 28 }, 2_800, "medium"],
  [{ kind: "declared", characters: 7_000, source: "maxLength" }, 2_000, "medium"],
  [{ kind: "declared", characters: 7_001, source: "maxLength" }, 2_001, "medium"],
  [
    { kind: "bounded", items: 0, itemTokens: 28, isItemSizeAssumed: true, source: "limit" },
    50,
    "low",
  ],
] as const)("estimateWorstCase of %j is %d, %s", (bound, tokens, risk) => {
  expect(estimateWorstCase(bound)).toBe(tokens);
  expect(classifyRisk(tokens, riskThresholdsDefault)).toBe(risk);
});
