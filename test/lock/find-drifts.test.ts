import { expect, test } from "bun:test";
import { findDrifts } from "#lock/find-drifts.ts";
import type { LockedTool } from "#lock/lock.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { lockedTool, lockWith } from "../support/locks.ts";

const between = (before: readonly LockedTool[], after: readonly LockedTool[]) =>
  findDrifts(lockWith(before), lockWith(after), riskThresholdsDefault);
const words = (drifts: ReturnType<typeof between>): string[] =>
  drifts.map(({ severity, kind }) => `${severity} ${kind}`);
const sha = "9".repeat(64);

test("findDrifts: removed and added tools, worst first; an added tool over a limit is RISKY", () => {
  const [before, after] = [lockedTool({ name: "old" }), lockedTool({ name: "new" })];
  const drifts = between([before], [after]);
  expect(words(drifts)).toEqual(["BREAKING tool_removed", "SAFE tool_added"]);
  const over = findDrifts(lockWith([]), lockWith([after]), riskThresholdsDefault, true);
  expect(words(over)).toEqual(["RISKY tool_added_over_budget"]);
});

test("findDrifts: tools that share a name are compared in order", () => {
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
