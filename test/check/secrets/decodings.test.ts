import { expect, test } from "bun:test";
import { mayEscape, decodingsAt } from "#check/secrets/decodings.ts";
import { escapeSlashesMax, percentLevelsMax } from "#limits/definitions.ts";

const read = (text: string): string[] =>
  decodingsAt(text, 0).map(({ units, length }) => `${units} ${length}`);

test.each([
  ["ab", ["a 1"]],
  ["+", ["+ 1", "  1"]],
  // JSON, in JSON, in JSON.
  ["\\u00E4", ["\\ 1", "ä 6"]],
  ["\\\\u00e4", ["\\ 1", "\\ 2", "ä 7"]],
  ["\\n", ["\\ 1", "\n 2"]],
  ["\\/", ["\\ 1", "/ 2"]],
  ['\\\\\\"', ["\\ 1", "\\ 2", '" 4']],
  ["\\u00g4", ["\\ 1"]],
  ["\\u00e", ["\\ 1"]],
  ["\\xe4", ["\\ 1", "ä 4"]],
  ["\\q", ["\\ 1"]],
  ["\\constructor", ["\\ 1"]],
  // URLs, encoded once and more often.
  ["%2f", ["% 1", "/ 3"]],
  ["%252F", ["% 1", "% 3", "/ 5"]],
  ["%c3%A4", ["% 1", "ä 6"]],
  ["%F0%9F%98%80", ["% 1", "😀 12"]],
  ["%25C3%25A4", ["% 1", "% 3", "ä 10"]],
  // Not UTF-8, so Latin-1.
  ["%C3%41", ["% 1", "Ã 3"]],
  ["%A4", ["% 1", "¤ 3"]],
  ["%F8%80%80%80", ["% 1", "ø 3"]],
  ["%F7%BF%BF%BF", ["% 1", "÷ 3"]],
  ["%80", ["% 1"]],
  ["%2", ["% 1"]],
  // HTML, in JSON, in a URL.
  ["&#39;", ["& 1", "' 5"]],
  ["&amp;lt;", ["& 1", "& 5", "< 8"]],
  ["\\u0026lt;", ["\\ 1", "& 6", "< 9"]],
  ["%26quot;", ["% 1", "& 3", '" 8']],
  ["&a", ["& 1"]],
  // Quotes of SQL, CSV and shells, and a backslash before any other character.
  ["''", ["' 1", "' 2"]],
  ["'\\''", ["' 1", "' 4"]],
  [`'"'"'`, ["' 1", "' 5"]],
  ['""', ['" 1', '" 2']],
  ["\\$", ["\\ 1", "$ 2"]],
  ["\\_", ["\\ 1", "_ 2"]],
  ["\\%ad", ["\\ 1", "% 2"]],
  ["\\ ", ["\\ 1", "  2"]],
  // JSON in a URL.
  ["%5Cu00e4", ["% 1", "\\ 3", "ä 8"]],
  ["%5c%22", ["% 1", "\\ 3", '" 6', "% 4"]],
])("decodingsAt %j", (text, decodings) => {
  expect(read(text)).toEqual(decodings);
  expect(mayEscape(text.charAt(0))).toBe(decodings.length > 1 || /^[\\%+&'"]/.test(text));
});

test("decodingsAt follows escapeSlashesMax backslashes and percentLevelsMax levels, and no more", () => {
  const slashes = "\\".repeat(escapeSlashesMax);
  expect(read(`${slashes}n`)).toContain(`\n ${escapeSlashesMax + 1}`);
  expect(read(`\\${slashes}n`).join()).not.toContain("\n");
  const levels = "25".repeat(percentLevelsMax - 1);
  expect(read(`%${levels}2F`)).toContain(`/ ${3 + levels.length}`);
  expect(read(`%25${levels}2F`).join()).not.toContain("/");
});
