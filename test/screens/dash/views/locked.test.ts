import { expect, test } from "bun:test";
import { compareLock } from "#screens/dash/views/definitions.ts";
import { findLock, type ServerLock } from "#screens/dash/views/scope.ts";
import { findLockedWorstCase } from "#screens/dash/views/tool.ts";
import { lockedDefinition, lockedTool, lockWith } from "../../../support/locks.ts";
import { definitionsRecord, toolDefinition } from "../../../support/made-records.ts";

const makeLock = (overrides: Partial<ServerLock> = {}): ServerLock => ({
  file: "mcp-meter.lock",
  server: null,
  lock: lockWith([lockedTool()]),
  ...overrides,
});

test("a lock is of the server that the user names, else of the one in it", () => {
  const [ownLock, named] = [makeLock(), makeLock({ server: "github" })];
  expect(findLock([ownLock, named], "github")).toBe(named);
  expect(findLock([ownLock, named], "s")).toBe(ownLock);
  expect(findLock([named], "s")).toBeUndefined();
});

const makeList = (name: string, tokens: number, letter: string) => ({
  ...toolDefinition(name, tokens),
  sha256: letter.repeat(64),
});

const lock = lockWith([
  lockedTool({ name: "same" }),
  lockedTool({ name: "grown" }),
  lockedTool({ name: "gone" }),
]);
const tools = [
  makeList("same", 50, "a"),
  makeList("grown", 90, "b"),
  makeList("__proto__", 20, "c"),
];
const record = definitionsRecord({ tools });

test("tools that were changed, added and removed, with their tokens before and after", () => {
  const { facts, rows } = compareLock(record, makeLock({ lock }), "o200k");
  expect(facts).toEqual({ file: "mcp-meter.lock", differences: 3, change_tokens: 10 });
  expect(Object.values(rows)).toEqual([
    { name: "grown", change: "changed", before_tokens: 50, after_tokens: 90 },
    { name: "__proto__", change: "added", before_tokens: null, after_tokens: 20 },
    { name: "gone", change: "removed", before_tokens: 50, after_tokens: null },
  ]);
});

test("tokens of another estimator are not compared", () => {
  const { facts, rows } = compareLock(record, makeLock({ lock }), "claude");
  expect(facts).toMatchObject({ differences: 3, change_tokens: null });
  expect(Object.values(rows).map((row) => row.before_tokens)).toEqual([null, null, null]);
});

test("the worst case is that of the locked definition, whether or not it is the newest", () => {
  const declared = lockedDefinition({
    name: "read",
    _meta: { "anthropic/maxResultSizeChars": 3_500 },
  });
  const found = makeLock({ lock: lockWith([declared, lockedDefinition({ name: "open" })]) });
  expect(findLockedWorstCase(found, "read", declared.sha256)).toEqual({
    tokens: 1_000,
    basis: "declared",
    items: null,
    item_tokens: null,
    is_listed: true,
  });
  expect(findLockedWorstCase(found, "read", undefined)).toMatchObject({ is_listed: false });
  expect(findLockedWorstCase(found, "open", undefined)).toMatchObject({
    tokens: null,
    basis: "unbounded",
  });
  expect(findLockedWorstCase(found, "other", undefined)).toBeNull();
});
