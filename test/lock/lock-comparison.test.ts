import { expect, test } from "bun:test";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { compareLocks } from "#lock/lock-report.ts";
import type { Lock } from "#lock/lock.ts";
import { lockedDefinition, lockWith } from "../support/locks.ts";

const terms = { thresholds: riskThresholdsDefault, isGrowthLimited: false };
const tool = (name: string, total: number, description = "") => ({
  ...lockedDefinition({ name, description, inputSchema: { type: "object" } }),
  tokens: { total, name: 1, description: 0, schema: 0, wire_only: 0 },
});
const costs = (before: Lock, now: Lock) =>
  compareLocks(before, now, terms).costs.map((cost) => Object.values(cost));

test("compareLocks lists changed, new and removed definitions, the largest change first", () => {
  const before = lockWith([tool("same", 5), tool("grown", 50), tool("gone", 9), tool("word", 7)]);
  const now = lockWith([
    tool("same", 5),
    tool("grown", 90, "More."),
    tool("new", 10),
    tool("word", 7, "Else."),
  ]);
  expect(costs(before, now)).toEqual([
    ["grown", 50, 90],
    ["new", null, 10],
    ["gone", 9, null],
    ["word", 7, 7],
  ]);
  expect(compareLocks(before, now, terms)).toMatchObject({
    total_tokens: { before: 71, after: 112 },
    tools: { before: 4, after: 4 },
    severity: "BREAKING",
  });
});

test("compareLocks adds up tools of one name, and has the instructions without a name", () => {
  const before = lockWith([tool("twice", 5)]);
  const now = lockWith([tool("twice", 5), tool("twice", 6, "Other.")], {
    instructions: { sha256: "c".repeat(64), tokens: 30, text: "Do." },
  });
  expect(costs(before, now)).toEqual([
    [null, null, 30],
    ["twice", 5, 11],
  ]);
});

test("compareLocks without an earlier lock has the totals alone", () => {
  expect(compareLocks(undefined, lockWith([tool("t", 5)]), terms)).toEqual({
    severity: null,
    total_tokens: { before: null, after: 5 },
    tools: { before: null, after: 1 },
    costs: [],
    drifts: [],
    diffs: [],
  });
});
