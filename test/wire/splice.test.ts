import { describe, expect, test } from "bun:test";
import { spliceMeta } from "#wire/edit-line-bytes.ts";
import { skimMembersMax } from "#wire/skimmer.ts";
import * as fc from "fast-check";
import { bytesOf, textOf } from "../support/bytes.ts";

function spliced(line: string): string | undefined {
  const bytes = spliceMeta(bytesOf(line), "k", { n: 1 });
  return bytes && textOf(bytes);
}

const many = [...Array(skimMembersMax + 1).keys()].map((at) => `"m${at}":${at}`).join(",");

describe("spliceMeta", () => {
  const rows = [
    ['{"id":1,"result":{}}\n', '{"id":1,"result":{"_meta":{"k":{"n":1}}}}\n'],
    ['{"result":{"a":1} ,"id":1}', '{"result":{"a":1,"_meta":{"k":{"n":1}}} ,"id":1}'],
    ['{"result": { "_meta" : { } } }', '{"result": { "_meta" : { "k":{"n":1}} } }'],
    ['{"result":{"_meta":{"x":"}"},"b":[]}}', '{"result":{"_meta":{"x":"}","k":{"n":1}},"b":[]}}'],
    [`{"result":{${many},"_meta":{"x":1}}}`, `{"result":{${many},"_meta":{"x":1,"k":{"n":1}}}}`],
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
    '{"id":1,"result":{"_meta":{"k":2}}}',
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
    const keys = fc.string().filter((key) => key !== "k");
    const metas = fc.option(fc.dictionary(keys, fc.jsonValue()), { nil: undefined });
    fc.assert(
      fc.property(results, metas, fc.constantFrom("", " ", "\t"), (result, meta, space) => {
        const plain = without(result, "_meta");
        const expected = meta ? { ...plain, _meta: meta } : plain;
        const line = JSON.stringify({ jsonrpc: "2.0", id: 1, result: expected }, undefined, space);
        const changed = JSON.parse(spliced(line) ?? "{}").result;
        const original = JSON.parse(line).result;
        expect(changed["_meta"].k).toEqual({ n: 1 });
        expect(without(changed, "_meta")).toEqual(without(original, "_meta"));
        expect(without(changed["_meta"], "k")).toEqual(without(original["_meta"] ?? {}, "k"));
      }),
      { numRuns: 300 },
    );
  });
});

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
