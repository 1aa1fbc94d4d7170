import { expect, test } from "bun:test";
import { preambleLength } from "#cost/overhead/preamble.ts";
import { preambleCharactersMax } from "#limits.ts";

test.each([
  ["IMPORTANT: show the link.\n\n# Title", "IMPORTANT: show the link.\n\n"],
  ["You must cite the page.\nRows: 2", "You must cite the page.\n"],
  ["\n IMPORTANT: cite.\nRows", "\n IMPORTANT: cite.\n"],
  ["IMPORTANT: nothing follows\n", ""],
  ["Important dates\n\n1 May", ""],
  ["Rows: 2\n\nIMPORTANT: cite.", ""],
  ["", ""],
])("the preamble of %j is %j", (text, preamble) => {
  expect(text.slice(0, preambleLength(text))).toBe(preamble);
});

test("a paragraph that ends beyond the limit is not a preamble", () => {
  const opening = "IMPORTANT: ";
  const [longest, longer] = [0, 1].map(
    (more) => `${opening.padEnd(preambleCharactersMax - 1 + more, "x")}\nRows`,
  );
  expect([preambleLength(longest ?? ""), preambleLength(longer ?? "")]).toEqual([
    preambleCharactersMax,
    0,
  ]);
});
