import { describe, expect, test } from "bun:test";
import * as ascii from "#kit/text/ascii.ts";

test.each<[name: string, code: number, character: string]>([
  ["newline", ascii.newline, "\n"],
  ["space", ascii.space, " "],
  ["quote", ascii.doubleQuote, '"'],
  ["backslash", ascii.backslash, "\\"],
  ["comma", ascii.comma, ","],
  ["colon", ascii.colon, ":"],
  ["openBracket", ascii.openBracket, "["],
  ["closeBracket", ascii.closeBracket, "]"],
  ["openBrace", ascii.openBrace, "{"],
  ["closeBrace", ascii.closeBrace, "}"],
])("%s is the code of its character", (_, code, character) => {
  expect(code).toBe(character.charCodeAt(0));
});

describe("over all bytes and some code units beyond them", () => {
  const codes = [...Array.from({ length: 256 }, (_, code) => code), 0x141, 0x2028, 0xfeff];

  test("isJsonSpace agrees with JSON.parse", () => {
    for (const code of codes) {
      const parse = (): unknown => JSON.parse(`${String.fromCharCode(code)}[]`);
      if (ascii.isJsonSpace(code)) expect(parse()).toEqual([]);
      else expect(parse).toThrow();
    }
  });

  test("isAlphanumeric agrees with a regular expression", () => {
    for (const code of codes) {
      const expected = /^[0-9A-Za-z]$/.test(String.fromCharCode(code));
      expect([code, ascii.isAlphanumeric(code)]).toEqual([code, expected]);
    }
  });
});
