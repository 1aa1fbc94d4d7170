import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { canonicalizeJson } from "#wire/json.ts";

describe("canonicalizeJson", () => {
  const rows: readonly (readonly [what: string, text: string, canonical: string])[] = [
    ["members are sorted at every level", '{"b":{"z":1,"y":2},"a":3}', '{"a":3,"b":{"y":2,"z":1}}'],
    ["elements stay in order", "[3,1,2]", "[3,1,2]"],
    ["no white space", '{ "a" : [ 1 , 2 ] }', '{"a":[1,2]}'],
    ["1.0 is 1", "1.0", "1"],
    ["1e2 is 100", "1e2", "100"],
    ["1e21 stays an exponent", "1e21", "1e+21"],
    ["0.0000001 becomes one", "0.0000001", "1e-7"],
    ["-0 is 0", "-0", "0"],
    ["escapes are the shortest", '"\\u0041\\u000a\\u001f\\/"', '"A\\n\\u001f/"'],
    ["letters are not escaped", '"\\u00e9\\u20ac"', '"é€"'],
    [
      "keys sort by code unit, so an emoji stands before U+FB33",
      '{"\ufb33":1,"\u{1f600}":2}',
      '{"\u{1f600}":2,"\ufb33":1}',
    ],
    ["keys sort as text, not as numbers", '{"10":1,"9":2}', '{"10":1,"9":2}'],
    ["the empty key is first", '{"a":1,"":2}', '{"":2,"a":1}'],
    ["empty stays empty", '{"a":{},"b":[]}', '{"a":{},"b":[]}'],
    ["literals", "[null,true,false]", "[null,true,false]"],
    ["a name that objects inherit", '{"b":1,"__proto__":2}', '{"__proto__":2,"b":1}'],
    [
      "more names than a few",
      '{"i":1,"h":1,"g":1,"f":1,"e":1,"d":1,"c":1,"b":1,"a":1}',
      '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}',
    ],
  ];
  for (const [what, text, canonical] of rows) {
    test(what, () => {
      expect(canonicalizeJson(JSON.parse(text))).toBe(canonical);
    });
  }

  test("says the same value, and once more the same text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalizeJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalizeJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("does not depend on the order of members", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalizeJson(turned)).toBe(canonicalizeJson(value));
      }),
    );
  });
});
