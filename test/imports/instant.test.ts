import { expect, test } from "bun:test";
import { earliestTime } from "#imports/instant.ts";

test("the earlier of two times, as far as they are known", () => {
  expect(earliestTime(1, 2)).toBe(1);
  expect(earliestTime(3, 2)).toBe(2);
  expect(earliestTime(null, 2)).toBe(2);
  expect(earliestTime(1, null)).toBe(1);
  expect(earliestTime(null, null)).toBeNull();
});
