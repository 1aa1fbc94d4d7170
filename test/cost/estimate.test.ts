import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { countValue, decodePart, definitionModel, jsonText, partsBy } from "#cost/estimate.ts";
import type { Estimator } from "#cost/estimate.ts";

const units: Estimator = {
  id: "units",
  method: "characters",
  encoding: "characters/1",
  confidence: "low",
  error: "none",
  tokensPerByteMax: 1,
  count: (text) => text.length,
  parts: partsBy((text) => text.length),
};

test("definitionModel: without a model of its own, texts as they are", () => {
  const model = definitionModel(units);
  const texts = { name: "a", description: "", schema: "{}" };
  expect(model.form(texts)).toEqual(texts);
  expect([model.count("{}"), model.perList]).toEqual([2, 0]);
});

test("definitionModel: the estimator's own model", () => {
  const own = {
    encoding: "units",
    form: () => ({ name: "", description: "", schema: "" }),
    count: () => 9,
    perList: 1,
  };
  expect(definitionModel({ ...units, definitions: own })).toBe(own);
});

test("jsonText: compact JSON of any JSON value, undefined for what is none", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value));
    }),
  );
  expect([jsonText(undefined), jsonText(1n), jsonText(nested(100_000))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("countValue: the count of the compact JSON", () => {
  expect(countValue(units, { a: [1, null] })).toEqual({ tokens: 14, unserialisable: false });
  expect(countValue(units, Symbol.iterator)).toEqual({ tokens: 0, unserialisable: true });
});

function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

test("decodePart: bytes that are no UTF-8 are replaced, a byte order mark is text", () => {
  expect(decodePart(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff))).toBe("\ufeffa\ufffd");
});

test("partsBy: units are tokens", () => {
  const parts = partsBy((text) => text.length * 2);
  expect([parts.units(Uint8Array.of(0x61, 0x62)), parts.tokens(7)]).toEqual([4, 7]);
});
