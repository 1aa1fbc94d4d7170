import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { readArray, stringifyCompact, isObject, readMember, readString } from "#wire/json.ts";

const value: unknown = JSON.parse('{"a":{"b":"text","c":[1]},"__proto__":{"d":1},"n":null}');

describe("readMember", () => {
  type Path = readonly [first: string, second?: string, third?: string];
  const rows: readonly (readonly [path: Path, found: unknown])[] = [
    [["a", "b"], "text"],
    [["a", "x"], undefined],
    [["a", "b", "length"], undefined],
    [["a", "c", "0"], undefined],
    [["n"], null],
    [["n", "x"], undefined],
    [["toString"], undefined],
    [["constructor", "name"], undefined],
    [["__proto__", "d"], 1],
  ];
  for (const [path, found] of rows) {
    test(`${path.join(".")} is ${String(found)}`, () => {
      expect(readMember(value, ...path)).toBe(found);
    });
  }
});

test("readString and arrayAt are empty-handed where something else is", () => {
  expect([readString(value, "a"), readString(value, "a", "b")]).toEqual([undefined, "text"]);
  expect([readArray(value, "a"), readArray(value, "a", "c")]).toEqual([[], [1]]);
});

test("isObject takes neither null nor arrays nor texts", () => {
  expect([{}, null, [], "x", 1, undefined].map(isObject)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("stringifyCompact is empty for what JSON cannot express, else what JSON.parse reads back", () => {
  let deep: unknown = 0;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  const cycle: unknown[] = [];
  cycle.push(cycle);
  expect([undefined, () => 1, 1n, cycle, deep].map(stringifyCompact)).toEqual(["", "", "", "", ""]);
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const text = stringifyCompact(json);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
    }),
  );
});
