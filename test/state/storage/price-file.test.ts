import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readPriceFile } from "#state/storage/price-file.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

function read(text: string) {
  using folder = new Folder();
  const file = folder.at("prices.json");
  writeFileSync(file, text);
  return readPriceFile(file);
}

test("prices by the pattern of a model's name, with comments", () => {
  const source = read(`{
    // ours
    "$schema": "x",
    "our-*": { "in": 1, "out": 4, "read": 0.1, "write5m": 1.25, "write1h": 2 },
    "*": { "in": 7, "out": 8 },
    "tools": { "exa_*": 0.005, "free": 0 }
  }`);
  expect(source.tools).toEqual([
    { pattern: "exa_*", dollars: 0.005 },
    { pattern: "free", dollars: 0 },
  ]);
  expect(source.models("our-7b", new Date(0))).toEqual({
    input: 1,
    output: 4,
    cacheRead: 0.1,
    cacheWrite5m: 1.25,
    cacheWrite1h: 2,
  });
  expect(source.models("else", new Date(0))?.input).toBe(7);
});

test.each([
  ["{", "line 1: "],
  ['{"tools": {"a": -1}}', "tools.a must be a number from 0 to 1000000, not -1"],
  ['{"tools": {"a": {"in": 1, "out": 1}}}', "tools.a must be a number from 0 to 1000000"],
  ["[]", "it must be an object, not a list"],
  ['{"a": {"in": 1}}', "a.out is required and must be a number"],
  ['{"a": {"in": -1, "out": 1}}', "a.in must be a number from 0 to 1000000, not -1"],
  ['{"a": {"in": 1, "out": 1, "rad": 1}}', 'unknown property "rad" in a (did you mean "read"?)'],
  ['{"a": {"in": "1", "out": 1}}', 'a.in must be a number from 0 to 1000000, not "1"'],
] as const)("%s: one sentence that names the mistake", (text, fault) => {
  const error = thrownBy(() => read(text));
  expect(error).toContain("Cannot read the prices in ");
  expect(error).toContain(fault);
});

test("a file that does not exist", () => {
  expect(thrownBy(() => readPriceFile("/nowhere/prices.json"))).toBe(
    'Cannot read the prices in "/nowhere/prices.json": no such file or directory',
  );
});
