import { expect, test } from "bun:test";
import { findDrifts, findListDrifts } from "#lock/drift/find-drifts.ts";
import type { LockedTool } from "#lock/lock.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { lockedTool, lockWith } from "../../support/locks.ts";

const terms = { thresholds: riskThresholdsDefault, isGrowthLimited: false };
const between = (before: readonly LockedTool[], after: readonly LockedTool[]) =>
  findDrifts(lockWith(before), lockWith(after), terms);
const words = (drifts: ReturnType<typeof between>): string[] =>
  drifts.map(({ severity, kind }) => `${severity} ${kind}`);
const sha = "9".repeat(64);

test("findDrifts: removed and added tools, worst first", () => {
  const definition = { name: "new", inputSchema: { type: "object" } };
  const [before, after] = [lockedTool({ name: "old" }), lockedTool({ name: "new", definition })];
  const drifts = between([before], [after]);
  expect(words(drifts)).toEqual(["BREAKING tool_removed", "RISKY tool_added"]);
});

test("findDrifts: a tool that was renamed is removed, with its new name", () => {
  const [old, now] = ["old", "now"].map((name) =>
    lockedTool({ name, definition: { name, description: "d", inputSchema: { type: "object" } } }),
  );
  if (!old || !now) throw new Error("no tools");
  expect(between([old], [now])).toMatchObject([
    {
      kind: "tool_removed",
      tool: "old",
      what: "tool renamed",
      before: "old",
      after: "now",
    },
    { kind: "tool_added", tool: "now" },
  ]);
});

test("findDrifts: a new tool without an input schema is BREAKING, for clients reject the list", () => {
  const after = lockedTool({ name: "new", definition: { name: "new" } });
  const drifts = between([lockedTool()], [lockedTool(), after]);
  expect(words(drifts)).toEqual([
    "BREAKING input_schema_rejected",
    "RISKY definitions_grew",
    "RISKY tool_added",
  ]);
  expect(drifts[0]).toMatchObject({
    tool: "new",
    what: "inputSchema missing: clients reject the tool list",
  });
});

test("findDrifts: tools that share a name are paired when equal, in any order", () => {
  const [first, second] = [lockedTool(), lockedTool({ sha256: "f".repeat(64) })];
  expect(words(between([first, second], [second, first]))).toEqual(["BREAKING tool_listed_twice"]);
});

test("findDrifts: a tool that is listed fewer times is not removed", () => {
  const [first, copy, third] = [lockedTool(), lockedTool(), lockedTool({ sha256: "f".repeat(64) })];
  expect(between([first, third], [third])).toMatchObject([
    { severity: "RISKY", kind: "text_changed", what: "tool is now listed only once" },
  ]);
  expect(words(between([first, copy], [first]))).toEqual(["RISKY text_changed"]);
  expect(words(between([first, copy, third], [first, copy]))).toEqual([
    "BREAKING tool_listed_twice",
  ]);
});

test("findDrifts: a tool that is listed a second time is BREAKING", () => {
  const [first, second] = [lockedTool(), lockedTool({ sha256: "f".repeat(64) })];
  expect(words(between([first], [second, first]))).toEqual([
    "BREAKING tool_listed_twice",
    "RISKY definitions_grew",
  ]);
  expect(between([first], [first, first])[0]).toMatchObject({
    what: "tool listed more than once",
    after: "2 times",
  });
});

test("findListFaults: each name that is listed more than once, once", () => {
  const [a, b] = [lockedTool(), lockedTool({ name: "other" })];
  const faults = findListDrifts(lockWith([a, a, a, b, b]), {});
  expect(faults.map(({ tool, after }) => [tool, after])).toEqual([
    ["tool", "3 times"],
    ["other", "2 times"],
  ]);
  expect(findListDrifts(lockWith([a, b]), {})).toEqual([]);
});

test.each([
  [1_000, 1_100, false],
  [1_000, 1_101, true],
  [100_000, 100_200, false],
  [100_000, 100_201, true],
  [1_000, 900, false],
])("findDrifts: from %d to %d tokens is growth: %p", (before, after, expected) => {
  const drifts = findDrifts(
    lockWith([], { total_tokens: before }),
    lockWith([], { total_tokens: after }),
    terms,
  );
  expect(drifts.map(({ kind }) => kind)).toEqual(expected ? ["definitions_grew"] : []);
});

test("findDrifts: instructions are RISKY, the server's version is COSMETIC", () => {
  const tools = [lockedTool()];
  const now = lockWith(tools, {
    instructions: { sha256: sha, tokens: 7 },
    server: { name: "s", version: "2", website_url: null, icons: [] },
  });
  const drifts = findDrifts(lockWith(tools), now, terms);
  expect(drifts).toMatchObject([
    { kind: "instructions_changed", severity: "RISKY", before: "none", after: "7 tokens" },
    { kind: "server_changed", severity: "COSMETIC", before: "1", after: "2" },
  ]);
});

test("findDrifts: another order of the tools that both have is RISKY", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => lockedTool({ name }));
  if (!a || !b || !c) throw new Error("no tools");
  expect(between([a, b], [b, a])).toMatchObject([
    { kind: "tools_reordered", tool: null, before: '["a","b"]', after: '["b","a"]' },
  ]);
  expect(words(between([a, b], [a, c, b]))).not.toContain("RISKY tools_reordered");
});
