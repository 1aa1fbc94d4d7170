import { expect, test } from "bun:test";
import { toolLines } from "#commands/lock/tool-lines.ts";
import { writeLock } from "#lock/lock.ts";
import { Folder } from "../../support/folder.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";

test("toolLines finds the tools of a lock, and nothing without one", () => {
  using folder = new Folder();
  const text = writeLock(lockWith([lockedDefinition({ name: "t" })]));
  const lineOf = toolLines(folder.file("a.lock", text));
  expect(lineOf("t")).toBe(text.split("\n").indexOf("    {") + 1);
  expect(lineOf("other")).toBeUndefined();
  expect(toolLines(undefined)("t")).toBeUndefined();
  expect(toolLines(folder.at("none.lock"))("t")).toBeUndefined();
});
