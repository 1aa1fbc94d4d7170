import { expect, test } from "bun:test";
import { driftSeverities, failsOn, severities, type FailOn } from "#lock/severity.ts";

const failOns: readonly FailOn[] = ["breaking", "risky", "safe"];

test.each([
  ["BREAKING", [true, true, true]],
  ["RISKY", [false, true, true]],
  ["SAFE", [false, false, true]],
  ["COSMETIC", [false, false, false]],
] as const)("%s fails on breaking, risky, safe", (severity, expected) => {
  expect(failOns.map((failOn) => failsOn(failOn, severity))).toEqual([...expected]);
});

test("every severity has a kind of drift", () => {
  expect(new Set(Object.values(driftSeverities))).toEqual(new Set(severities));
});
