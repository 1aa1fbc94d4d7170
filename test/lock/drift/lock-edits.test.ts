import { expect, test } from "bun:test";
import { findLockEdit } from "#lock/drift/lock-diff.ts";
import type { Lock } from "#lock/lock.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";

const [a, b] = ["a", "b"].map((name) => lockedDefinition({ name, inputSchema: {} }));
if (!a || !b) throw new Error("no tools");
const derived = lockWith([a, b]);
const begin =
  "the lock was edited by hand, or written by another version of mcp-meter: the value of ";

test("findLockEdit: undefined for the lock that its definitions give", () => {
  expect(findLockEdit(structuredClone(derived), derived)).toBeUndefined();
});

const edits: readonly (readonly [string, Partial<Lock>, object])[] = [
  ["total_tokens", { total_tokens: 9 }, { tool: null, before: "9", after: "100" }],
  [
    "risk_thresholds",
    { risk_thresholds: [1, 2, 3] },
    { before: "[1,2,3]", after: "[1000,4000,8000]" },
  ],
  ["instructions.tokens", { instructions: { sha256: null, tokens: 9 } }, { tool: null }],
  ["prompts", { prompts: [{ name: "p" }] }, { before: '[{"name":"p"}]', after: "[]" }],
  ["risk", { tools: [a, { ...b, risk: "critical" }] }, { tool: "b", before: "critical" }],
  ["is_bounded", { tools: [a, { ...b, is_bounded: false }] }, { tool: "b" }],
  ["worst_case_tokens", { tools: [{ ...a, worst_case_tokens: 1 }, b] }, { tool: "a" }],
  [
    "fields.output",
    { tools: [{ ...a, fields: { input: 1, output: 2 } }, b] },
    { tool: "a", before: "2", after: "0" },
  ],
  [
    "tokens.wire_only",
    { tools: [{ ...a, tokens: { ...a.tokens, wire_only: 3 } }, b] },
    { before: "3", after: "0" },
  ],
];

test.each(edits)("findLockEdit names %s", (path, changes, expected) => {
  const edit = findLockEdit({ ...derived, ...changes }, derived);
  expect(edit).toMatchObject({ what: `${begin}${path} is wrong; rewrite the lock`, ...expected });
});

test("findLockEdit names the first of several values and counts the others", () => {
  const tools = [{ ...a, risk: "critical", is_bounded: false } as const, b];
  expect(findLockEdit({ ...derived, total_tokens: 9, tools }, derived)).toMatchObject({
    tool: null,
    what: `${begin}total_tokens and 2 more values are wrong; rewrite the lock`,
  });
});
