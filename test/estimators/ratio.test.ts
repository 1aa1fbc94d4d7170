import { expect, test } from "bun:test";
import { chars3 } from "#estimators/chars3.ts";
import { chars3Point5 } from "#estimators/chars3.5.ts";

test.each([
  [chars3(), [0, 1, 3, 4], [0, 1, 1, 2]],
  [chars3Point5(), [0, 1, 3, 4, 7, 8], [0, 1, 1, 2, 2, 3]],
])("$id: so many characters are so many tokens", (estimator, lengths, tokens) => {
  expect(lengths.map((length) => estimator.count("ã".repeat(length)))).toEqual(tokens);
});
