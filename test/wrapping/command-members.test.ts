import { expect, test } from "bun:test";
import { commandMembers } from "#wrapping/command-members.ts";

test("a command has the members of its form", () => {
  const words = ["m", "a", "b"];
  const args = { name: "args", value: ["a", "b"] };
  expect(commandMembers("command", words)).toEqual([{ name: "command", value: "m" }, args]);
  expect(commandMembers("cmd", words)).toEqual([{ name: "cmd", value: "m" }, args]);
  expect(commandMembers("path", words)).toEqual([{ name: "path", value: "m" }, args]);
  expect(commandMembers("list", words)).toEqual([{ name: "command", value: words }]);
});
