import { expect, test } from "bun:test";
import { isHeaderName, isHeaderValue } from "#wire/endpoint/mcp-endpoint.ts";

test.each([
  ["X-Team", true],
  ["x_1.~", true],
  ["", false],
  ["two words", false],
  ["a:b", false],
  ["é", false],
  ["a\n", false],
])("%p is the name of a header: %p", (text, isName) => {
  expect(isHeaderName(text)).toBe(isName);
});

test.each([
  ["", true],
  ["a\tb ~", true],
  ["\u00e9", true],
  ["\u20ac", false],
  ["a\r\nX: b", false],
  ["\u0000", false],
])("%p is the value of a header: %p", (text, isValue) => {
  expect(isHeaderValue(text)).toBe(isValue);
});
