import { expect, test } from "bun:test";
import { pickHigherRisk, classifyRisk, risks, riskThresholdsDefault } from "#tokens/cost/risk.ts";

const rows = [
  [0, "low"],
  [1_000, "low"],
  [1_001, "medium"],
  [4_000, "medium"],
  [4_001, "high"],
  [8_000, "high"],
  [8_001, "critical"],
] as const;

for (const [tokens, risk] of rows) {
  test(`${tokens} tokens are ${risk}`, () => {
    expect(classifyRisk(tokens, riskThresholdsDefault)).toBe(risk);
  });
}

test("pickHigherRisk is the same from both sides", () => {
  for (const [i, a] of risks.entries()) {
    for (const [j, b] of risks.entries()) {
      expect(pickHigherRisk(a, b)).toBe(i >= j ? a : b);
    }
  }
});
