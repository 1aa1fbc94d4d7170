import { expect, test } from "bun:test";
import { daysOf, periods } from "#dash/view.ts";

test("each period has its days", () => {
  expect(periods.map(daysOf)).toEqual([1, 7, 30, Infinity]);
});
