import { expect, test } from "bun:test";
import { formatFigure } from "../../../scripts/bench/format.ts";
import type { Unit } from "../../../scripts/bench/unit.ts";

test.each<[number, Unit, string]>([
  [0, "ms", "0 ms"],
  [0.083_24, "s", "0.0832 s"],
  [1.5, "×", "1.5 ×"],
  [-12.345, "µs", "-12.3 µs"],
  [999.96, "MB", "1000 MB"],
  [1234.56, "MB/s", "1,235 MB/s"],
  [150_000, "", "150,000"],
  [Number.NaN, "MB", "-"],
  [Number.NEGATIVE_INFINITY, "MB", "-"],
])("%d with the unit %p reads %p", (value, unit, text) => {
  expect(formatFigure({ value, unit })).toBe(text);
});
