import { expect, test } from "bun:test";
import { commandMembers } from "#wrapping/command-members.ts";
import { pasteLines } from "#wrapping/paste-lines.ts";

test("the lines are in the language of the settings", () => {
  const words = ["/m", "--", 'a"b'];
  expect(pasteLines("json", commandMembers("command", words))).toEqual([
    '"command": "/m",',
    '"args": ["--", "a\\"b"]',
  ]);
  expect(pasteLines("json", commandMembers("list", words))).toEqual([
    '"command": ["/m", "--", "a\\"b"]',
  ]);
  expect(pasteLines("json", commandMembers("path", words))[0]).toBe('"path": "/m",');
  expect(pasteLines("toml", commandMembers("command", words))).toEqual([
    'command = "/m"',
    'args = ["--", "a\\"b"]',
  ]);
  expect(pasteLines("yaml", commandMembers("cmd", words))).toEqual([
    'cmd: "/m"',
    'args: ["--", "a\\"b"]',
  ]);
});
