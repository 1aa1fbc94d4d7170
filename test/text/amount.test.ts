import { expect, test } from "bun:test";
import { parseAmount } from "#text/amount.ts";

test.each([
  ["2000", 2_000],
  ["20K", 20_000],
  ["1.5M", 1_500_000],
  ["1.1M", 1_100_000],
  ["0", 0],
  ["1.5", undefined],
  ["", undefined],
  ["k", undefined],
  ["1e3", undefined],
  ["-1", undefined],
  ["9007199254740993", undefined],
] as const)("parseAmount of %j", (text, amount) => {
  expect(parseAmount(text)).toBe(amount as number);
});
