import { expect, test } from "bun:test";
import {
  measureArguments,
  readId,
  parseTime,
  importTimeMsMax,
} from "#history/importers/log-fields.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { plainTools } from "../../support/logs.ts";

test("readId reads a text at a path, and hashes a long one", () => {
  const value = { a: { b: "x" }, empty: "", number: 1 };
  expect(readId(plainTools, value, "a", "b")).toBe("x");
  for (const name of ["empty", "number", "missing"])
    expect(readId(plainTools, value, name)).toBeNull();
  expect(readId(plainTools, { long: "x".repeat(nameCharactersMax) }, "long")).toHaveLength(256);
  expect(readId(plainTools, { long: "x".repeat(nameCharactersMax + 1) }, "long")).toHaveLength(64);
  expect(readId(plainTools, { half: "a\ud800" }, "half")).toBe("a\ufffd");
});

test("parseTime reads ISO 8601 and milliseconds", () => {
  expect(parseTime("1970-01-01T00:00:01.000Z")).toBe(1000);
  expect(parseTime(1000.7)).toBe(1000);
  expect(parseTime("9999-12-30T23:59:59.999Z")).toBe(importTimeMsMax);
  const beyond = [
    "+010000-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    importTimeMsMax + 1,
    -1,
  ];
  for (const value of ["soon", Number.NaN, 1e300, null, {}, ...beyond])
    expect(parseTime(value)).toBeNull();
});

test("measureArguments measures compact JSON, and hashes its canonical form", () => {
  const facts = measureArguments({ b: 1, a: "é" }, plainTools, null);
  expect(facts.argumentBytes).toBe(16);
  expect(facts.argumentTokens).toBe(4);
  expect(facts.argumentsHash).toBe(plainTools.sha256('{"a":"é","b":1}'));
  expect(measureArguments('{ "b": 1 }', plainTools, null)).toMatchObject({
    argumentBytes: 10,
    argumentsHash: plainTools.sha256('{"b":1}'),
  });
  expect(measureArguments("{", plainTools, null).argumentsHash).toBeNull();
  expect(measureArguments(undefined, plainTools, null).argumentBytes).toBe(2);
});
