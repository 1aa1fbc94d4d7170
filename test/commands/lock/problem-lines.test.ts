import { expect, test } from "bun:test";
import { problemLines } from "#commands/lock/problem-lines.ts";
import { writeLock } from "#lock/lock.ts";
import { Folder } from "../../support/folder.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";

test("problemLines finds the tools of a lock, and nothing without one", () => {
  using folder = new Folder();
  const text = writeLock(lockWith([lockedDefinition({ name: "t" })]));
  const lines = problemLines(folder.file("a.lock", text));
  expect(lines.tool("t")).toBe(text.split("\n").indexOf("    {") + 1);
  expect(lines.tool("other")).toBeUndefined();
  expect(problemLines(undefined).tool("t")).toBeUndefined();
});
