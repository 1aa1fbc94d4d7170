import { expect, test } from "bun:test";
import { parseBudgetsOptions } from "#commands/budgets/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseBudgetsOptions reads the pattern and the format", () => {
  expect(parseBudgetsOptions(args)).toEqual({
    resetPattern: undefined,
    place: {},
    format: "table",
    output: undefined,
    isWide: false,
  });
  const options = { reset: "fetch_*", json: true };
  expect(parseBudgetsOptions({ ...args, options })).toEqual({
    place: {},
    resetPattern: "fetch_*",
    format: "json",
    output: undefined,
    isWide: false,
  });
});

test("parseBudgetsOptions takes no arguments", () => {
  const sentence = 'unexpected argument "search"';
  expect(thrownBy(() => parseBudgetsOptions({ ...args, operands: ["search"] }))).toBe(sentence);
  expect(thrownBy(() => parseBudgetsOptions({ ...args, child: ["search"] }))).toBe(sentence);
});
