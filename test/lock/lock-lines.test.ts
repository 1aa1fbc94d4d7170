import { expect, test } from "bun:test";
import { formatLock, findToolLines } from "#lock/lock.ts";
import { lockedDefinition, lockWith } from "../support/locks.ts";

test("findToolLines finds the entry of each tool, whatever its name and definition are", () => {
  const names = ["a", 'say "x"', "\u202e\ud800", "   ", "tools"];
  const tools = names.map((name) =>
    lockedDefinition({
      name,
      description: '      "name": "not a tool",\n    {',
      inputSchema: { properties: { name: { name: "neither" } } },
    }),
  );
  const text = formatLock(lockWith(tools));
  const lines = text.split("\n");
  const found = findToolLines(text);
  expect([...found.keys()]).toEqual(names);
  for (const [name, line] of found) {
    expect(lines[line - 1]).toBe("    {");
    const rest = lines.slice(line).join("\n");
    expect(JSON.parse(/^ {6}"name": (".*"),?$/m.exec(rest)?.[1] ?? "")).toBe(name);
  }
});

test("findToolLines takes no prompt for a tool of its name", () => {
  const text = formatLock(
    lockWith([lockedDefinition({ name: "t" })], {
      prompts: [{ name: "t" }],
      resource_templates: [{ name: "t", uriTemplate: "x" }],
    }),
  );
  const tools = text.split("\n").indexOf('  "tools": [');
  expect(findToolLines(text).get("t")).toBe(tools + 2);
});

test("findToolLines: the first of two tools of one name, and none in another layout", () => {
  const lock = lockWith([lockedDefinition({ name: "t" }), lockedDefinition({ name: "t" })]);
  const text = formatLock(lock);
  expect(findToolLines(text).get("t")).toBe(text.split("\n").indexOf("    {") + 1);
  expect(findToolLines(JSON.stringify(lock)).size).toBe(0);
  expect(findToolLines('    {\n      "name": "\\x"\n').size).toBe(0);
});
