import { expect, test } from "bun:test";
import { pasteLines } from "#wrapping/paste-lines.ts";

test("the lines are in the language of the settings", () => {
  const words = ["/m", "--", 'a"b'];
  expect(pasteLines("json", "command", words)).toEqual([
    '"command": "/m",',
    '"args": ["--", "a\\"b"]',
  ]);
  expect(pasteLines("json", "list", words)).toEqual(['"command": ["/m", "--", "a\\"b"]']);
  expect(pasteLines("json", "path", words)[0]).toBe('"path": "/m",');
  expect(pasteLines("toml", "command", words)).toEqual([
    'command = "/m"',
    'args = ["--", "a\\"b"]',
  ]);
  expect(pasteLines("yaml", "cmd", words)).toEqual(['cmd: "/m"', 'args: ["--", "a\\"b"]']);
});
