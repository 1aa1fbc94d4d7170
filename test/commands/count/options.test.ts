import { expect, test } from "bun:test";
import { countOptionSpecs, parseCountOptions } from "#commands/count/options.ts";

test("parseCountOptions: defaults", () => {
  expect(parseCountOptions({})).toEqual({
    tokenizer: "auto",
    model: undefined,
    tokensMax: undefined,
    isJson: false,
  });
});

test("parseCountOptions: every option", () => {
  const raw = { tokenizer: "cl100k", model: "gpt-4", limit: "0", json: true };
  expect(Object.keys(countOptionSpecs).toSorted()).toEqual(Object.keys(raw).toSorted());
  expect(parseCountOptions(raw)).toEqual({
    tokenizer: "cl100k",
    model: "gpt-4",
    tokensMax: 0,
    isJson: true,
  });
});

test.each([
  ["tokenizer", "o300k"],
  ["limit", "lots"],
  ["limit", "-1"],
])("parseCountOptions: --%s %s is told", (name, value) => {
  expect(() => parseCountOptions({ [name]: value })).toThrow(`--${name} `);
});
