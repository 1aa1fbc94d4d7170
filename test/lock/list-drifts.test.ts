import { expect, test } from "bun:test";
import { compareWithLock } from "#lock/lock-guard.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import { lockedTool } from "../support/locks.ts";

const listed = (...names: readonly string[]): ToolDefinition[] =>
  names.map((word) => {
    const [name = "", hash = "a"] = word.split(":");
    return {
      name,
      sha256: hash.repeat(64),
      tokens: 1,
      name_tokens: 1,
      description_tokens: 0,
      schema_tokens: 0,
      wire_only_tokens: 0,
      percent_total: 1,
    };
  });
const lock = { tools: [lockedTool({ name: "one" }), lockedTool({ name: "two" })] };

test.each([
  [["one", "two"], true, ""],
  [["two", "one"], true, ""],
  [["one", "two:b"], true, "two changed"],
  [["one", "two", "three"], true, "three added"],
  [["one"], true, "two removed"],
  [["one"], false, ""],
  [[], true, ""],
  [["one", "one", "two"], true, "one changed"],
] as const)("compareWithLock: %j, complete %j", (names, isComplete, expected) => {
  const drifts = compareWithLock({ tools: listed(...names), is_complete: isComplete }, lock);
  expect(drifts.map(({ tool, change }) => `${tool} ${change}`).join(", ")).toBe(expected);
});
