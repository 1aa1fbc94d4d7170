import { expect, test } from "bun:test";
import { sparkline } from "#text/sparkline.ts";

test("the largest number is the highest bar, and 0 alone the lowest", () => {
  expect(sparkline([0, 1, 50, 100])).toBe("▁▂▅█");
  expect(sparkline([7])).toBe("█");
  expect(sparkline([0, 0])).toBe("");
  expect(sparkline([])).toBe("");
});
