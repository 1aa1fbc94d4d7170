import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  countJsonCharacters,
  parseDocument,
  looksLikeJson,
  minify,
  parsedJsonCharactersMax,
} from "#tokens/cost/answer-overhead/overhead.ts";

describe("minify", () => {
  test("keeps everything but white space between tokens", () => {
    expect(minify('{ "a b" : [ 1.0 , "\\u00e9" ] }\n')).toBe('{"a b":[1.0,"\\u00e9"]}');
  });

  test("any JSON: the same value, never longer", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (raw, indent) => {
        const text = indented(raw, indent);
        const small = minify(text);
        expect(small.length).toBeLessThanOrEqual(text.length);
        expect(JSON.parse(small)).toEqual(JSON.parse(text));
        expect(minify(small)).toBe(small);
      }),
    );
  });
});

test.each([
  ['{"a":1}', true, true],
  [" [1]\n", true, true],
  ["{broken}", true, false],
  ["[info] started", false, false],
  ["7", false, false],
  ["", false, false],
])("%j looks like JSON: %p, is a document: %p", (text, looks, is) => {
  expect([looksLikeJson(text), parseDocument(text) !== undefined]).toEqual([looks, is]);
});

test("parseDocument reads no text beyond the limit", () => {
  const longest = `[${" ".repeat(parsedJsonCharactersMax - 2)}]`;
  expect([
    parseDocument(longest) !== undefined,
    parseDocument(` ${longest}`) !== undefined,
  ]).toEqual([true, false]);
});

test("countJsonCharacters: keys, values, marks and white space add up to the length", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (raw, indent) => {
      const text = indented(raw, indent);
      const { data, keys, punctuation, whiteSpace } = countJsonCharacters(text);
      expect(data + keys + punctuation + whiteSpace).toBe(text.length);
    }),
  );
  expect(countJsonCharacters('{"ab": [1]}')).toEqual({
    data: 1,
    keys: 2,
    punctuation: 7,
    whiteSpace: 1,
  });
});

function indented(json: string, indent: number): string {
  return JSON.stringify(JSON.parse(json), null, indent);
}
