import { expect, test } from "bun:test";
import { gemini } from "#estimators/gemini.ts";
import { unitsOnly } from "./support/counters.ts";

test("gemini: o200k × 1.07, with low confidence", () => {
  const estimator = gemini(unitsOnly);
  expect(estimator.count("a".repeat(100))).toBe(107);
  expect(estimator.confidence).toBe("low");
});
