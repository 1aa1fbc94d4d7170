import { expect, test } from "bun:test";
import { definitionModel } from "#cost/estimator.ts";
import type { Estimator } from "#cost/estimator.ts";
import { partsBy } from "#estimators/parts.ts";

const units: Estimator = {
  id: "units",
  method: "characters",
  encoding: "characters/1",
  confidence: "low",
  error: "none",
  tokensPerTextByteMax: 1,
  tokensPerLineByteMax: 1,
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
