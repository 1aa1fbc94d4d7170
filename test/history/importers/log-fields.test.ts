import { expect, test } from "bun:test";
import {
  measureArguments,
  readId,
  parseTime,
  importTimeMsMax,
} from "#history/importers/log-fields.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { plainUtils } from "../../support/logs.ts";

test("readId reads a text at a path, and hashes a long one", () => {
  const value = { a: { b: "x" }, empty: "", number: 1 };
  expect(readId(plainUtils, value, "a", "b")).toBe("x");
  for (const name of ["empty", "number", "missing"])
    expect(readId(plainUtils, value, name)).toBeNull();
  expect(readId(plainUtils, { long: "x".repeat(nameCharactersMax) }, "long")).toHaveLength(256);
  expect(readId(plainUtils, { long: "x".repeat(nameCharactersMax + 1) }, "long")).toHaveLength(64);
  expect(readId(plainUtils, { half: "a\ud800" }, "half")).toBe("a\ufffd");
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
  const facts = measureArguments({ b: 1, a: "é" }, plainUtils, null);
  expect(facts.argumentBytes).toBe(16);
  expect(facts.argumentTokens).toBe(4);
  expect(facts.argumentsHash).toBe(plainUtils.sha256('{"a":"é","b":1}'));
  expect(measureArguments('{ "b": 1 }', plainUtils, null)).toMatchObject({
    argumentBytes: 10,
    argumentsHash: plainUtils.sha256('{"b":1}'),
  });
  expect(measureArguments("{", plainUtils, null).argumentsHash).toBeNull();
  expect(measureArguments(undefined, plainUtils, null).argumentBytes).toBe(2);
});
