import { expect, test } from "bun:test";
import { median, quantile } from "#imports/validate/quantile.ts";

test.each([
  [0, 1],
  [0.1, 1.4],
  [0.5, 3],
  [0.9, 4.6],
  [1, 5],
])("quantile %f of 1 to 5 is %f", (share, value) => {
  expect(quantile([1, 2, 3, 4, 5], share)).toBeCloseTo(value, 12);
});

test("the median needs no order, and of an even number is between the middle ones", () => {
  expect([median([9, 1, 5]), median([4, 1, 2, 100])]).toEqual([5, 3]);
});

test("nothing has no median", () => {
  expect(median([])).toBeNaN();
});
