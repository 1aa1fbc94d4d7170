import { expect, test } from "bun:test";
import { judgeLock } from "#lock/lock-report.ts";
import type { FailOn } from "#lock/drift/severity-rules.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { changedTool, lockedTool, lockWith } from "../support/locks.ts";
import type { LockLimits } from "#lock/lock-limits.ts";

const ask = (limits: LockLimits = {}, failOn: FailOn = "risky") => ({
  lockFile: "mcp-meter.lock",
  limits,
  failOn,
  thresholds: riskThresholdsDefault,
});
const before = lockWith([lockedTool()]);
const tokens = (total: number) => ({
  total,
  name: 1,
  description: 9,
  schema: total - 10,
  wire_only: 0,
});

test.each([
  ["breaking", { worst_case_tokens: 5_000 }, [true, true, true]],
  ["risky", { is_bounded: false }, [false, true, true]],
  [
    "safe",
    {
      definition: {
        ...lockedTool().definition,
        inputSchema: { type: "object", properties: { q: {} } },
      },
    },
    [false, false, true],
  ],
  ["cosmetic", {}, [false, false, false]],
] as const)("judgeLock: a %s drift fails on breaking, risky, safe", (_, changes, expected) => {
  const failOns: readonly FailOn[] = ["breaking", "risky", "safe"];
  const now = lockWith([changedTool(changes)]);
  expect(failOns.map((failOn) => judgeLock(before, now, ask({}, failOn)).failed)).toEqual([
    ...expected,
  ]);
});

test.each([
  ["max_increase of 10 %", { maxIncrease: { share: 0.1 } }, 55, 56],
  ["max_increase of 3 tokens", { maxIncrease: { tokens: 3 } }, 53, 54],
  ["max_total", { maxTotalTokens: 55 }, 55, 56],
  ["max_tool", { maxToolTokens: 55 }, 55, 56],
] as const)(
  "judgeLock: %s holds at %d tokens limits and fails one past",
  (_, limits, fits, exceeds) => {
    const at = (total: number) =>
      judgeLock(before, lockWith([changedTool({ tokens: tokens(total) })]), ask(limits));
    expect(at(fits)).toMatchObject({ failed: false, over_limit: [] });
    expect(at(exceeds)).toMatchObject({
      failed: true,
      over_limit: [{ tokens: exceeds, allowed: fits }],
    });
  },
);

test("judgeLock: an added tool is RISKY; --max-increase judges growth in place of the drift", () => {
  const now = lockWith([lockedTool(), lockedTool({ name: "new" })]);
  const kinds = (limits: LockLimits) =>
    judgeLock(before, now, ask(limits)).drifts.map(({ kind, severity }) => `${severity} ${kind}`);
  expect(kinds({})).toEqual(["RISKY definitions_grew", "RISKY tool_added"]);
  expect(kinds({ maxIncrease: { tokens: 50 } })).toEqual(["RISKY tool_added"]);
});

test("judgeLock without a lock judges limits only", () => {
  const report = judgeLock(undefined, before, ask({ maxIncrease: { tokens: 0 } }));
  expect(report).toMatchObject({
    failed: false,
    severity: null,
    drifts: [],
    tools: { before: null },
  });
  expect(judgeLock(undefined, before, ask({ maxTotalTokens: 1 })).failed).toBe(true);
});

test("judgeLock: a base is compared but does not fail; growth is measured from it", () => {
  const now = lockWith([changedTool({ tokens: tokens(60) })]);
  const base = { name: "main", lock: before };
  const report = judgeLock(now, now, { ...ask(), base });
  expect(report).toMatchObject({
    failed: false,
    drifts: [],
    base: { name: "main", has_lock: true, costs: [{ tool: "tool", before: 50, after: 60 }] },
  });
  expect(report.base?.drifts).not.toEqual([]);
  const limits = { maxIncrease: { share: 0.1 } };
  expect(judgeLock(now, now, { ...ask(limits), base })).toMatchObject({
    failed: true,
    over_limit: [{ limit: "max_increase", tokens: 60, allowed: 55 }],
  });
});

test("judgeLock: a base without a lock says so, and nothing else takes its place", () => {
  const base = { name: "main", lock: undefined };
  const now = lockWith([changedTool({ tokens: tokens(60) })]);
  const report = judgeLock(before, now, { ...ask({ maxIncrease: { tokens: 3 } }), base });
  expect(report.base).toMatchObject({ has_lock: false, total_tokens: { before: null, after: 60 } });
  expect(report.over_limit).toEqual([]);
});

test.each([
  ["a lock", before],
  ["no lock", undefined],
])("judgeLock with %s: entries of the list that are not tools fail", (_, locked) => {
  const report = judgeLock(locked, before, { ...ask({}, "breaking"), invalidEntryCount: 1 });
  expect(report).toMatchObject({
    failed: true,
    severity: "BREAKING",
    drifts: [
      {
        kind: "entries_not_tools",
        tool: null,
        what: "1 list entry is not a tool: clients reject the whole list",
      },
    ],
  });
  const two = judgeLock(locked, before, { ...ask(), invalidEntryCount: 2 });
  expect(two.drifts[0]?.what).toBe("2 list entries are not tools: clients reject the whole list");
  expect(judgeLock(locked, before, { ...ask(), invalidEntryCount: 0 }).drifts).toEqual([]);
});
