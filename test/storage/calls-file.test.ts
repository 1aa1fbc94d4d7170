import { afterAll, expect, test } from "bun:test";
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
  ["torn.json", "[", "it is no JSON"],
  ["torn.yaml", "- tool: [", "it is no YAML"],
  ["empty.json", "", "it is no JSON"],
])("readCallsFile of %s says so", (name, text, fault) => {
  expect(() => readCallsFile(folder.write(name, text))).toThrow(fault);
});

test("readCallsFile of what is not there, or a folder, throws a sentence", () => {
  expect(() => readCallsFile("/no/such/calls.json")).toThrow("Cannot read");
  expect(() => readCallsFile(folder.path)).toThrow("Cannot read");
});
