import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readCallsFile, callsBytesMax } from "#state/storage/calls-file.ts";
import { scratch } from "../../support/replay.ts";
import { nestingMax } from "#wire/json.ts";

const folder = scratch();
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
  [
    "big.json",
    '[{"tool": "a",\n  "arguments": {"n": 9007199254740993}}]',
    ":2:22: the number 9007199254740993 would become 9007199254740992; write it in quotes, as text",
  ],
  [
    "big.yaml",
    "- tool: a\n  arguments:\n    n: 9007199254740993\n",
    ":3:8: the number 9007199254740993 would become 9007199254740992; write it in quotes, as text",
  ],
  [
    "inf.yaml",
    "- tool: a\n  arguments: { n: .inf }\n",
    ":2:19: the number .inf would become null; it cannot be sent as a number",
  ],
  [
    "e400.json",
    '[{"tool": "a", "arguments": {"n": 1e400}}]',
    ":1:35: the number 1e400 would become null",
  ],
  [
    "calls.txt",
    "- tool: a\n",
    "; it was read as JSON, because its name does not end in .yaml or .yml",
  ],
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

const bytesFile = (name: string, bytes: Uint8Array): string => {
  const file = folder.write(name, "");
  writeFileSync(file, bytes);
  return file;
};

test("readCallsFile accepts a byte order mark of UTF-8", () => {
  const marked = Buffer.from("\ufeff- tool: a\n  budget: x\n");
  const file = bytesFile("marked.yaml", marked);
  expect(readCallsFile(file).value).toEqual([{ tool: "a", budget: "x" }]);
  expect(readCallsFile(bytesFile("marked.json", Buffer.from("\ufeff[1]"))).value).toEqual([1]);
  expect(readCallsFile(file).makeError("no", ["0", "tool"], "name").message).toBe(
    `${file}:1:3: no`,
  );
});

test.each([
  ["little", Buffer.from("\ufeff- tool: a\n", "utf16le")],
  ["big", Buffer.from("\ufeff- tool: a\n", "utf16le").swap16()],
  ["unmarked", Buffer.from("- tool: a\n", "utf16le")],
])("readCallsFile of UTF-16 says so: %s", (name, bytes) => {
  for (const file of [bytesFile(`${name}.yaml`, bytes), bytesFile(`${name}.json`, bytes)]) {
    expect(() => readCallsFile(file)).toThrow(
      `Cannot read "${file}": it is UTF-16; save it as UTF-8`,
    );
  }
});

test("readCallsFile of bytes that are not UTF-8 says so", () => {
  const file = bytesFile("latin.yaml", Buffer.from("- tool: caf\u00e9\n", "latin1"));
  expect(() => readCallsFile(file)).toThrow("it is not valid UTF-8; save it as UTF-8");
});

test("readCallsFile of what is not there, or a folder, throws a sentence", () => {
  expect(() => readCallsFile("/no/such/calls.json")).toThrow("Cannot read");
  expect(() => readCallsFile(folder.path)).toThrow("Cannot read");
});

test("readCallsFile knows the places of parts", () => {
  const file = folder.write("places.yaml", "- tool: a\n- tool: b\n  budget: x\n");
  const { findLine: locateLine, makeError } = readCallsFile(file);
  expect(locateLine(["1"])).toBe(2);
  expect(makeError("no", ["1", "budget"], "value").message).toBe(`${file}:3:11: no`);
  expect(makeError("no", ["1", "budget"], "name").message).toBe(`${file}:3:3: no`);
});
