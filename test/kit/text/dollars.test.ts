import { expect, test } from "bun:test";
import { formatDollarRange } from "#kit/text/numbers.ts";

test.each([
  [0, "$0"],
  [0.00001, "<$0.0001"],
  [0.0001, "$0.00010"],
  [0.00123, "$0.0012"],
  [0.0456, "$0.046"],
  [0.0996, "$0.10"],
  [0.26, "$0.26"],
  [0.999, "$1.0"],
  [1.349, "$1.3"],
  [9.96, "$10"],
  [13.4, "$13"],
  [1_349, "$1,300"],
  [1_234_567, "$1,200,000"],
] as const)("%d dollars are %s: two digits", (dollars, text) => {
  const amount = formatDollarRange({ low: dollars, high: dollars });
  expect(amount.replace(/^~/, "")).toBe(text);
});

test.each([
  [0.05, 0.31, "~$0.050–0.31"],
  [0.26, 0.2601, "~$0.26"],
  [0, 0, "$0"],
  [0.00001, 0.00002, "<$0.0001"],
  [0.00001, 0.02, "~$0–0.020"],
] as const)("a range from %d to %d is %s", (low, high, text) => {
  expect(formatDollarRange({ low, high })).toBe(text);
});
