import { expect, test } from "bun:test";
import { axes, isTimeAxis } from "#reports/axes.ts";

test("days, weeks and months are periods", () => {
  expect(axes.filter(isTimeAxis)).toEqual(["day", "week", "month"]);
});
