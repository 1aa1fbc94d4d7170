import { describe, expect, test } from "bun:test";
import { spliceMeta } from "#wire/splice.ts";
import * as fc from "fast-check";
import { bytesOf, textOf } from "../support/bytes.ts";

/** The line with our member in it, as text; undefined when it was left alone. */
function spliced(line: string): string | undefined {
  const bytes = spliceMeta(bytesOf(line), "k", { n: 1 });
  return bytes && textOf(bytes);
}

describe("spliceMeta", () => {
  const rows = [
    ['{"id":1,"result":{}}\n', '{"id":1,"result":{"_meta":{"k":{"n":1}}}}\n'],
    ['{"result":{"a":1} ,"id":1}', '{"result":{"a":1,"_meta":{"k":{"n":1}}} ,"id":1}'],
    ['{"result": { "_meta" : { } } }', '{"result": { "_meta" : { "k":{"n":1}} } }'],
    ['{"result":{"_meta":{"x":"}"},"b":[]}}', '{"result":{"_meta":{"x":"}","k":{"n":1}},"b":[]}}'],
  ] as const;
  for (const [line, wanted] of rows) {
    test(`of ${JSON.stringify(line)} puts the member last`, () => {
      expect(spliced(line)).toBe(wanted);
    });
  }

  const untouched = [
    '{"id":1,"error":{}}',
    '{"id":1,"result":[]}',
    '{"id":1,"result":null}',
    '{"id":1,"result":{"_meta":7}}',
    "[]",
    "",
    '{"id":1,"result":{',
  ];
  for (const line of untouched) {
    test(`of ${JSON.stringify(line)} has no place for it`, () => {
      expect(spliced(line)).toBeUndefined();
    });
  }

  test("any result keeps its other bytes and its value", () => {
    const results = fc.dictionary(fc.string(), fc.jsonValue());
    const wins = (result: object, meta: object | undefined, space: string): void => {
      const whole = meta ? { ...result, _meta: meta } : result;
      const line = JSON.stringify({ jsonrpc: "2.0", id: 1, result: whole }, undefined, space);
      const told = JSON.parse(spliced(line) ?? "{}");
      const { k, ...others } = told.result._meta;
      expect(k).toEqual({ n: 1 });
      const { _meta: _ours, ...rest } = told.result;
      const { _meta: given, ...wanted } = JSON.parse(line).result;
      expect(rest).toEqual(wanted);
      const { k: _k, ...kept } = given ?? {};
      expect(others).toEqual(kept);
    };
    const metas = fc.option(results, { nil: undefined });
    fc.assert(
      fc.property(results, metas, fc.constantFrom("", " ", "\t"), (result, meta, space) => {
        const { _meta: _none, ...plain } = result;
        wins(plain, meta, space);
      }),
      { numRuns: 300 },
    );
  });
});
