import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { escapeLookalikes, escapeUnsafe, stringifySafely } from "#kit/text/unsafe-text.ts";
import { hostileText, findUnsafeText } from "../../support/hostile.ts";

describe("escapeUnsafe", () => {
  const rows: readonly (readonly [what: string, text: string, safe: string])[] = [
    ["plain text", "search_files", "search_files"],
    ["letters of any script", "поиск 検索 🌍", "поиск 検索 🌍"],
    ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
    ["a newline", "a\nb\r\tc", "a\\u000ab\\u000d\\u0009c"],
    ["C1", "\u009b31m", "\\u009b31m"],
    ["DEL", "\u007f", "\\u007f"],
    ["bidi", "\u202eevil\u2066", "\\u202eevil\\u2066"],
    ["zero width", "a\u200b\u200d\ufeff\u2060", "a\\u200b\\u200d\\ufeff\\u2060"],
    ["line separators", "\u2028\u2029", "\\u2028\\u2029"],
    ["a lone surrogate", "\ud800x", "\\ud800x"],
    ["tag characters", "\u{e0041}", "\\udb40\\udc41"],
    ["soft hyphen", "a\u00adb", "a\\u00adb"],
    ["private use", "\ue000", "\\ue000"],
  ];
  for (const [what, text, safe] of rows) {
    test(`${what}: ${safe}`, () => {
      expect(escapeUnsafe(text)).toBe(safe);
    });
  }

  test("nothing unsafe is left, whatever the text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(findUnsafeText(escapeUnsafe(text))).toEqual([]);
      }),
    );
  });
});

describe("stringifySafely", () => {
  const value = fc.oneof(fc.jsonValue(), fc.dictionary(hostileText, hostileText));

  test("is the same value, safe on a screen, on one line", () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = stringifySafely(json);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(json));
        expect(findUnsafeText(text)).toEqual([]);
      }),
    );
  });

  test("with an indentation, only its newlines are raw", () => {
    fc.assert(
      fc.property(value, (json) => {
        const text = stringifySafely(json, 2);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(json));
        expect(findUnsafeText(text.replaceAll("\n", ""))).toEqual([]);
      }),
    );
  });
});

test.each([
  ["search", "search"],
  ["поиск", "поиск"],
  ["αβγ, A", "αβγ, A"],
  ["\u0430dmin_tool", "\\u0430dmin_tool"],
  ["re\u0430d, поиск", "re\\u0430d, поиск"],
  ["\uff41bc", "\\uff41bc"],
  ["\u{1d41a}bc", "\\ud835\\udc1abc"],
  ["naïve café", "naïve café"],
])("escapeLookalikes of %s", (text, shown) => {
  expect(escapeLookalikes(text)).toBe(shown);
});
