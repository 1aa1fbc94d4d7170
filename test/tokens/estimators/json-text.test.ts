import { expect, test } from "bun:test";
import { isJsonText, jsonParsedCharactersMax } from "#tokens/estimators/scaled.ts";

const long = "x".repeat(jsonParsedCharactersMax);

test.each([
  ["{}", true],
  [' [1, {"a": null}]\n', true],
  ["", false],
  ["7", false],
  ['"text"', false],
  ["[note] see below", false],
  ['{"torn":', false],
  [`["${long}"] `, true],
  [`{${long}]`, false],
  [`[${long}`, false],
])("isJsonText(%s) is %p", (text, expected) => {
  expect(isJsonText(text)).toBe(expected);
});
