import { expect, test } from "bun:test";
import { partsOfJson } from "#syntax/jsonc.ts";
import { partsOfToml } from "#syntax/toml.ts";
import { partsOfYaml } from "#syntax/yaml.ts";
import { applyEdits } from "#wrapping/edit.ts";
import { layoutAt } from "#wrapping/entry-layout.ts";
import { frontEdit, newList, newListText, quoteLiteral } from "#wrapping/literals.ts";

const parsers = { json: partsOfJson, toml: partsOfToml, yaml: partsOfYaml };

test("a quoted text is the same in JSON, TOML and YAML", () => {
  for (const text of ["", "a b", 'C:\\x "y"', "\u007f\u0001\n", "é 😀"]) {
    const literal = quoteLiteral(text);
    for (const [language, document] of [
      ["json", `{"a":${literal}}`],
      ["toml", `a = ${literal}`],
      ["yaml", `a: ${literal}`],
    ] as const) {
      const root = parsers[language](document);
      expect("fault" in root ? root.fault : root.members[0]?.part.value).toBe(text);
    }
  }
});

test.each([
  ['["a"]', '["1", "2", "a"]'],
  ["[]", '["1", "2"]'],
  ['[\n  "a"\n]', '[\n  "1",\n  "2",\n  "a"\n]'],
  ['[\r\n\t"a"]', '[\r\n\t"1",\r\n\t"2",\r\n\t"a"]'],
  ['[\n/* x */ "a"]', '[\n/* x */ "1", "2", "a"]'],
])("words are put in front of %j as its own items are", (text, expected) => {
  const root = partsOfJson(text);
  if ("fault" in root) throw new Error(root.fault);
  expect(applyEdits(text, [frontEdit(text, root, ['"1"', '"2"'])])).toBe(expected);
});

test.each([
  ["json", '{"s":{"command":"x"}}', { before: ',"args":[', after: "]" }],
  ["toml", "[s]\r\n\tcommand = 'x'\r\n", { before: "args = [", after: "]\r\n\t" }],
  ["toml", "s.command = 'x'", { before: "s.args = [", after: "]\n" }],
  ["toml", "s = { command = 'x' }", { before: "args = [", after: "], " }],
  ["yaml", "s:\n  command: x\n", { before: "args: [", after: "]\n  " }],
  ["yaml", "s: {command: x}\n", { before: "args: [", after: "], " }],
] as const)(
  "a list that is missing in %s %j is made before or behind the command",
  (language, text, list) => {
    const root = parsers[language](text);
    if ("fault" in root) throw new Error(root.fault);
    const layout = layoutAt(root, ["s"], "command");
    if (typeof layout === "string") throw new Error(layout);
    expect(newList(text, language, layout)).toMatchObject(list);
    expect(newListText(['"1"', '"2"'])).toBe('"1","2"');
  },
);
