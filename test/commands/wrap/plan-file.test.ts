import { expect, test } from "bun:test";
import { judgeEntry } from "#commands/wrap/plan-file.ts";

const entry = (
  words: readonly string[],
  more: { isDisabled?: boolean; form?: undefined } = {},
) => ({
  rawName: "a",
  path: ["a"],
  form: "command" as const,
  words,
  isDisabled: false,
  entry: {},
  ...more,
});

const wrapped = ["/opt/mcp-meter", "--annotate", "--", "x"];

test.each([
  ["wrap", ["x"], "changed"],
  ["wrap", wrapped, "behind"],
  ["wrap", ["npx", "-y", "mcp-meter@1", "--", "x"], "behind"],
  ["wrap", ["cmd", "/c", "npx", "mcp-meter", "--", "x"], "behind"],
  ["wrap", ["mcp-meter", "mcp"], "own"],
  ["wrap", ["mcp-meter", "--"], "own"],
  ["unwrap", ["x"], "direct"],
  ["unwrap", wrapped, "changed"],
  ["unwrap", ["mcp-meter", "mcp"], "own"],
  ["list", ["x"], "direct"],
  ["list", wrapped, "behind"],
] as const)("%s %j: %s", (action, words, state) => {
  expect(judgeEntry(entry(words), { action, isNamed: false })).toBe(state);
});

test("a disabled entry is wrapped only by name, and always unwrapped", () => {
  const off = entry(["x"], { isDisabled: true });
  expect(judgeEntry(off, { action: "wrap", isNamed: false })).toBe("off");
  expect(judgeEntry(off, { action: "wrap", isNamed: true })).toBe("changed");
  const wrappedOff = entry(wrapped, { isDisabled: true });
  expect(judgeEntry(wrappedOff, { action: "unwrap", isNamed: false })).toBe("changed");
});

test("a remote server has no command", () => {
  const remote = { ...entry([]), form: undefined };
  expect(judgeEntry(remote, { action: "wrap", isNamed: true })).toBe("remote");
});
