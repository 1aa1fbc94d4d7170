import { expect, test } from "bun:test";
import { findDrifts } from "#lock/drift.ts";
import type { LockedTool } from "#lock/lock.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { changedTool, lockedTool, lockWith } from "../support/locks.ts";

const between = (before: readonly LockedTool[], after: readonly LockedTool[]) =>
  findDrifts(lockWith(before), lockWith(after), riskThresholdsDefault);
const words = (drifts: ReturnType<typeof between>): string[] =>
  drifts.map(({ severity, kind }) => `${severity} ${kind}`);
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
] as const)("findDrifts: a tool with %s", (_, changes, expected) => {
  expect(words(between([lockedTool()], [changedTool(changes)]))).toEqual([...expected]);
});

test("findDrifts: a lighter worst case and a bound are SAFE", () => {
  const heavy = lockedTool({ worst_case_tokens: 7_000, is_bounded: false });
  const drifts = between([heavy], [changedTool({ worst_case_tokens: 900 })]);
  expect(words(drifts)).toEqual(["SAFE became_bounded", "SAFE risk_fell"]);
});

test("findDrifts: the same hash is no drift, whatever else the lock says", () => {
  expect(between([lockedTool()], [lockedTool({ worst_case_tokens: 99_999 })])).toEqual([]);
});

test("findDrifts: removed and added tools, worst first; a new tool over budget is RISKY", () => {
  const [before, after] = [lockedTool({ name: "old" }), lockedTool({ name: "new" })];
  const drifts = between([before], [after]);
  expect(words(drifts)).toEqual(["BREAKING tool_removed", "SAFE tool_added"]);
  const over = findDrifts(lockWith([]), lockWith([after]), riskThresholdsDefault, "RISKY");
  expect(words(over)).toEqual(["RISKY tool_added_over_budget"]);
});

test("findDrifts: two tools of one name are held against each other in order", () => {
  const [one, two] = [lockedTool(), lockedTool({ sha256: "f".repeat(64) })];
  expect(between([one, two], [one, two])).toEqual([]);
  expect(words(between([one, two], [one]))).toEqual(["BREAKING tool_removed"]);
});

test("findDrifts: instructions are RISKY, the server's version is COSMETIC", () => {
  const tools = [lockedTool()];
  const now = lockWith(tools, {
    instructions: { sha256: sha, tokens: 7 },
    server: { name: "s", version: "2" },
  });
  const drifts = findDrifts(lockWith(tools), now, riskThresholdsDefault);
  expect(drifts).toMatchObject([
    { kind: "instructions_changed", severity: "RISKY", before: "none", after: "7 tokens" },
    { kind: "server_changed", severity: "COSMETIC", before: "s 1", after: "s 2" },
  ]);
});
