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
  expect(readCallsFile(yaml)).toEqual(readCallsFile(json));
});

test.each([
  ["torn.json", "[", "it is not valid JSON"],
  ["torn.yaml", "- tool: [", "it is not valid YAML"],
  ["empty.json", "", "it is not valid JSON"],
])("readCallsFile of %s says so", (name, text, fault) => {
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
  expect(readCallsFile(folder.write("levels.json", text))).toBeArray();
});

test("readCallsFile of what is not there, or a folder, throws a sentence", () => {
  expect(() => readCallsFile("/no/such/calls.json")).toThrow("Cannot read");
  expect(() => readCallsFile(folder.path)).toThrow("Cannot read");
});
