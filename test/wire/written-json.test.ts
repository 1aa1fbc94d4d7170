import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { replaceNonFinite } from "#wire/written-json.ts";

test.each([
  ["NaN", "null"],
  ["[-Infinity,Infinity]", "[null,null]"],
  ['{"NaN":NaN}', '{"NaN":null}'],
  ['["\\\\",NaN,"\\"NaN"]', '["\\\\",null,"\\"NaN"]'],
])("replaceNonFinite(%s) is %s", (json, expected) => {
  expect(replaceNonFinite(json)).toBe(expected);
});

test.each(["", "{}", '"NaN"', '{"a":"Infinity"}', '"torn NaN', "nan"])("%s has none", (json) => {
  expect(replaceNonFinite(json)).toBeUndefined();
});

test("strings stay as they are", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom("NaN", "-Infinity"))), (strings) => {
      const json = JSON.stringify([...strings, null]);
      const replaced = replaceNonFinite(json.replace(/null]$/, "NaN]"));
      expect(replaced).toBe(json);
    }),
  );
});
