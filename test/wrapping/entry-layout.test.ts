import { expect, test } from "bun:test";
import { partsOfJson } from "#syntax/jsonc.ts";
import { layoutAt } from "#wrapping/entry-layout.ts";

function rootOf(text: string) {
  const root = partsOfJson(text);
  if ("fault" in root) throw new Error(root.fault);
  return root;
}

test.each([
  ["command", '{"command":"x","args":["y"]}', "x", 1, ["command", "args"]],
  ["cmd", '{"cmd":"x"}', "x", undefined, ["cmd", "args"]],
  ["path", '{"command":{"path":"x","args":[]}}', "x", 0, ["path", "args"]],
  ["list", '{"command":["x","y"]}', undefined, 2, ["command"]],
] as const)(
  "%s: the places of the command and its list",
  (form, text, command, items, changing) => {
    const layout = layoutAt(rootOf(`{"s":${text}}`), ["s"], form);
    if (typeof layout === "string") throw new Error(layout);
    expect(layout.command?.part.value).toBe(command);
    expect(layout.list?.items.length).toBe(items);
    expect([...layout.changing]).toEqual([...changing]);
  },
);

test("an entry of a list has an index", () => {
  const layout = layoutAt(rootOf('[{},{"command":"x"}]'), [1], "command");
  expect(layout).toMatchObject({ command: { name: "command" } });
});

test.each([
  ["missing", "{}", ["s"]],
  ["missing", '{"s":1}', ["s"]],
  ["missing", "[]", [0]],
  ["duplicate", '{"s":{},"s":{}}', ["s"]],
] as const)("%s: %s", (reason, text, path) => {
  expect(layoutAt(rootOf(text), path, "command")).toBe(reason);
});
