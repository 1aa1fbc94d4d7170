import { afterAll, expect, test } from "bun:test";
import { callsBytesMax, nestingMax } from "#limits.ts";
import { readCallsFile } from "#storage/calls-file.ts";
import { scratch } from "../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());

test("readCallsFile reads JSON and YAML alike", () => {
  const json = folder.write("calls.json", [{ tool: "t", arguments: { q: "x" }, repeat: 2 }]);
  const yaml = folder.write(
    "calls.yml",
    "# calls\n- tool: t\n  arguments: { q: x }\n  repeat: 2\n",
  );
  expect(readCallsFile(yaml).value).toEqual(readCallsFile(json).value);
});

test.each([
  ["torn.json", '[\n  {"tool": }', "/torn.json:2:12: not valid JSON: a value is missing"],
  ["torn.yaml", "- tool: t\n  arguments: [", "/torn.yaml:2:15: not valid YAML: Flow sequence"],
  ["empty.json", "", "/empty.json:1:1: not valid JSON: a value is missing"],
  ["twice.json", '[{"tool": "a",\n  "tool": "b"}]', ':2:3: property "tool" is defined twice'],
  ["twice.yaml", "- tool: a\n  tool: b\n", ':2:3: property "tool" is defined twice'],
  ["crlf.yaml", "- tool: a\r\n  tool: b\r\n", ':2:3: property "tool" is defined twice'],
])("readCallsFile of %s says so, with line and column", (name, text, fault) => {
  expect(() => readCallsFile(folder.write(name, text))).toThrow(fault);
});

test.each([
  ["deep.json", "[".repeat(nestingMax + 2) + "]".repeat(nestingMax + 2)],
  ["cycle.yaml", "- tool: t\n  arguments: &a { a: *a }\n"],
  ["long.yaml", `- &a "${"x".repeat(callsBytesMax / 100)}"\n${"- *a\n".repeat(100)}`],
])("readCallsFile rejects %s, which would become too large", (name, text) => {
  expect(() => readCallsFile(folder.write(name, text))).toThrow("it is nested too deeply, or");
});

test(`readCallsFile accepts ${nestingMax} levels`, () => {
  const text = "[".repeat(nestingMax) + "]".repeat(nestingMax);
  expect(readCallsFile(folder.write("levels.json", text)).value).toBeArray();
});

test("readCallsFile of what is not there, or a folder, throws a sentence", () => {
  expect(() => readCallsFile("/no/such/calls.json")).toThrow("Cannot read");
  expect(() => readCallsFile(folder.path)).toThrow("Cannot read");
});

test("readCallsFile knows the places of parts", () => {
  const file = folder.write("places.yaml", "- tool: a\n- tool: b\n  budget: x\n");
  const { lineOf, mistake } = readCallsFile(file);
  expect(lineOf(["1"])).toBe(2);
  expect(mistake("no", ["1", "budget"], "value").message).toBe(`${file}:3:11: no`);
  expect(mistake("no", ["1", "budget"], "name").message).toBe(`${file}:3:3: no`);
});
