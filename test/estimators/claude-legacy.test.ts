import { expect, test } from "bun:test";
import { claudeLegacy } from "#estimators/claude-legacy.ts";
import { unitsOnly } from "./support/counters.ts";

test("claude-legacy: o200k × 1.18, and what having tools costs Claude 4.6", () => {
  const estimator = claudeLegacy(unitsOnly);
  expect(estimator.count("a".repeat(100))).toBe(118);
  expect(estimator.definitions?.perList).toBe(497);
});
