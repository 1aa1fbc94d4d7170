import { expect, test } from "bun:test";
import { chargeSpan, shrinkTo, stackSpans } from "#records/money/turns/prompt-parts.ts";

const prices = { cached: 1, fresh: 10, written: 100, total: 0 };

test.each([
  [0, 500, 100],
  [550, 500, 500],
  [0, 100, 100],
  [0, 50, 50 + 500],
])("a part at %i in a prompt with %i cached tokens costs %i", (start, cached, cost) => {
  expect(chargeSpan({ start, end: start + 100 }, { size: 600, cached, prices })).toBe(cost);
});

test("a part that the prompt has no more is cut for good", () => {
  const span = { start: 100, end: 200 };
  expect(chargeSpan(span, { size: 150, cached: 0, prices })).toBe(500);
  expect(chargeSpan(span, { size: 900, cached: 0, prices })).toBe(500);
  expect(chargeSpan(span, { size: 20, cached: 0, prices })).toBe(0);
});

test("sizes shrink alike to the room, in whole tokens", () => {
  expect(shrinkTo(10, [4, 6])).toEqual([4, 6]);
  expect(shrinkTo(9, [10, 20])).toEqual([3, 6]);
  expect(shrinkTo(1, [1, 1])).toEqual([0, 0]);
  expect(shrinkTo(-5, [1, 0])).toEqual([0, 0]);
});

test("parts stand one behind the other", () => {
  expect(stackSpans(7, [3, 0, 5])).toEqual([
    { start: 7, end: 10 },
    { start: 10, end: 10 },
    { start: 10, end: 15 },
  ]);
});
