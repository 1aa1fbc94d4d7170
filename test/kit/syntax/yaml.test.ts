import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { parseYaml, writeYaml } from "#kit/syntax/yaml.ts";
import { findDuplicate, findOffset } from "#kit/syntax/syntax-tree.ts";

function read(text: string) {
  const parsed = parseYaml(text);
  return "fault" in parsed ? expect.unreachable(parsed.fault) : parsed;
}

test("parseYaml has the value and the places of its parts, also behind an alias", () => {
  const text = "- &a { x: 1 }\n- b: *a\n  <<: *a\n";
  const { value, tree } = read(text);
  expect(value).toEqual([{ x: 1 }, { b: { x: 1 }, x: 1 }]);
  expect(findOffset(tree, ["1", "b"], "name")).toBe(text.indexOf("b:"));
  expect(findOffset(tree, ["1", "b", "x"], "value")).toBe(text.indexOf("1 }"));
});

test("parseYaml reads scalars as YAML 1.2 does, and an empty document as null", () => {
  expect(read("[yes, 0x10, ~, 2026-01-01, '1']").value).toEqual([
    "yes",
    16,
    null,
    "2026-01-01",
    "1",
  ]);
  expect(read("").value).toBeNull();
});

test("parseYaml finds the second of two names among very many in time", () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join("");
  const { tree } = read(`${names}k0: 2\n`);
  expect(findDuplicate(tree)).toMatchObject({ offset: names.length });
});

test.each([
  ["- tool: [", "not valid YAML: Flow sequence", 9],
  ["- a: 1\n b: 2\n", "not valid YAML: ", 7],
  ["- *a", 'not valid YAML: the alias "a" has no anchor before it', 2],
  ["- &a 1\n- b: *b\n  c: &b 1\n", 'not valid YAML: the alias "b" has no anchor before it', 12],
  ["- <<: 1\n", "not valid YAML: Merge sources must be maps", 0],
  ["- 1\n---\n- 2\n", "it has more than one YAML document", 4],
  ["? {a: 1}\n: 2\n", "not valid YAML: With stringKeys, all keys must be strings", 2],
  ["[".repeat(20_000), "nested too deeply", undefined],
])("parseYaml of %.20j: %s", (text, fault, offset) => {
  const parsed = parseYaml(text);
  expect("fault" in parsed ? parsed.fault : "").toStartWith(fault);
  if (offset !== undefined) expect(parsed).toMatchObject({ offset });
});

test("writeYaml writes a symbol as the number that its text is", () => {
  const texts = ["-0.0", "1.0", "1e3", "1E+2", "-2.50"];
  const yaml = writeYaml({ a: texts.map(Symbol), b: Symbol("-0") });
  expect(yaml).toBe("a:\n  - -0.0\n  - 1.0\n  - 1e3\n  - 1E+2\n  - -2.50\nb: -0\n");
  expect(read(yaml).value).toEqual({ a: [-0, 1, 1000, 100, -2.5], b: -0 });
});

test("writeYaml writes any JSON so that parseYaml reads it back", () => {
  const name = fc.oneof(
    fc.constantFrom("<<", "", "a: b", "# c", "yes"),
    fc.string({ unit: "binary" }),
  );
  const list = fc.array(fc.dictionary(name, fc.jsonValue()), { maxLength: 3 });
  fc.assert(
    fc.property(list, (value) => {
      expect(read(writeYaml(value)).value).toEqual(value);
    }),
    { numRuns: 75 },
  );
});
