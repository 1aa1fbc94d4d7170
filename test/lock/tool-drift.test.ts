import { expect, test } from "bun:test";
import { riskThresholdsDefault } from "#cost/risk.ts";
import type { LockedTool } from "#lock/lock.ts";
import { toolDrifts } from "#lock/tool-drift.ts";
import { changedTool, lockedTool } from "../support/locks.ts";

const between = (before: LockedTool, after: LockedTool): string[] =>
  toolDrifts(before, after, riskThresholdsDefault).map(
    ({ severity, kind }) => `${severity} ${kind}`,
  );
const sha = "9".repeat(64);

test.each([
  ["nothing", {}, ["COSMETIC definition_changed"]],
  ["a heavier worst case", { worst_case_tokens: 1_001 }, ["BREAKING risk_rose"]],
  ["as heavy within its risk", { worst_case_tokens: 1_000 }, ["COSMETIC definition_changed"]],
  ["no bound", { is_bounded: false }, ["RISKY became_unbounded"]],
  [
    "no bound, and so a heavy guess",
    { is_bounded: false, worst_case_tokens: 7_000 },
    ["RISKY became_unbounded"],
  ],
  ["another description", { description_sha256: sha }, ["RISKY description_changed"]],
  ["another text in a schema", { schema_texts_sha256: sha }, ["RISKY schema_texts_changed"]],
  ["other annotations", { annotations_sha256: sha }, ["RISKY annotations_changed"]],
  ["no parameter", { parameters: [] }, ["BREAKING parameter_removed"]],
] as const)("toolDrifts: a tool with %s", (_, changes, expected) => {
  expect(between(lockedTool(), changedTool(changes))).toEqual([...expected]);
});

test("toolDrifts: a lighter worst case and a bound are SAFE", () => {
  const heavy = lockedTool({ worst_case_tokens: 7_000, is_bounded: false });
  const drifts = between(heavy, changedTool({ worst_case_tokens: 900 }));
  expect(drifts).toEqual(["SAFE became_bounded"]);
  const lighter = between(lockedTool({ worst_case_tokens: 7_000 }), changedTool({}));
  expect(lighter).toEqual(["SAFE risk_fell"]);
});

test("toolDrifts does not compare the assumed sizes of two unbounded answers", () => {
  const light = lockedTool({ worst_case_tokens: 900, is_bounded: false });
  const drifts = between(light, changedTool({ worst_case_tokens: 9_000, is_bounded: false }));
  expect(drifts).toEqual(["COSMETIC definition_changed"]);
});

test("toolDrifts: the same hash is no drift, whatever else the lock says", () => {
  expect(between(lockedTool(), lockedTool({ worst_case_tokens: 99_999 }))).toEqual([]);
});

test("toolDrifts states both sides in tokens, and nothing of annotations", () => {
  const changes = { is_bounded: false, description_sha256: sha, annotations_sha256: sha };
  const drifts = toolDrifts(lockedTool(), changedTool(changes), riskThresholdsDefault);
  expect(drifts.map(({ what, before, after }) => [what, before, after])).toEqual([
    ["the answer", "900 tokens", "unbounded"],
    ["the description", "9 tokens", "9 tokens"],
    ["the annotations", null, null],
  ]);
});

test("toolDrifts writes one token in the singular and thousands with a comma", () => {
  const [one, many] = [lockedTool({ worst_case_tokens: 1 }), { worst_case_tokens: 40_000 }];
  const drifts = toolDrifts(one, changedTool(many), riskThresholdsDefault);
  expect(drifts[0]).toMatchObject({ before: "low (1 token)", after: "critical (40,000 tokens)" });
});
