import { describe, expect, test } from "bun:test";
import { splitBar, findHighestColumn, stackBuckets } from "#screens/dash/page/stack.ts";

const series = ["search", "definitions", "other"];

const makeBucket = (label: string, tokens: readonly number[]) => ({ start: label, label, tokens });

describe("stackBuckets", () => {
  const days = {
    b: makeBucket("2026-11-03", [1, 2, 3]),
    a: makeBucket("2026-10-31", [10, 0, 5]),
  };

  test("days without tokens are empty columns, across the end of a month", () => {
    const stack = stackBuckets(days, series, { bucket: "day", first: null, last: "2026-11-04" });
    expect(stack.labels).toEqual([
      "2026-10-31",
      "2026-11-01",
      "2026-11-02",
      "2026-11-03",
      "2026-11-04",
    ]);
    expect(stack.tokens[0]).toEqual([10, 0, 0, 1, 0]);
    expect(stack.sums).toEqual([
      [10, 0, 0, 1, 0],
      [10, 0, 0, 3, 0],
      [15, 0, 0, 6, 0],
    ]);
    expect(stack.totals).toEqual([15, 0, 0, 6, 0]);
    expect(stack.bySeries).toEqual([11, 2, 8]);
    expect(findHighestColumn(stack)).toBe(0);
  });

  test("a day after the last column, as of a clock that was wrong, is in the sums of the series", () => {
    const later = { ...days, c: makeBucket("2027-01-01", [100, 0, 0]) };
    const span = { bucket: "day", first: "2026-10-31", last: "2026-11-04" } as const;
    const stack = stackBuckets(later, series, span);
    expect(stack.totals).toEqual([15, 0, 0, 6, 0]);
    expect(stack.bySeries).toEqual([111, 2, 8]);
  });

  test("a day of hours has all of them, and an hour that comes twice is one column", () => {
    const stack = stackBuckets(
      { x: makeBucket("02:00", [1, 0, 0]), y: makeBucket("02:00", [2, 0, 0]) },
      series,
      { bucket: "hour" },
    );
    expect(stack.labels).toHaveLength(24);
    expect(stack.totals[2]).toBe(3);
  });

  test("nothing has no highest column, and a long time has a bound", () => {
    expect(findHighestColumn(stackBuckets({}, series, { bucket: "hour" }))).toBeUndefined();
    const none = stackBuckets({}, series, { bucket: "day", first: null, last: null });
    expect(none.labels).toEqual([]);
    const long = stackBuckets(days, series, {
      bucket: "day",
      first: "1970-01-01",
      last: "2026-11-04",
    });
    expect(long.labels).toHaveLength(400);
    expect(long.labels.at(-1)).toBe("2026-11-04");
    expect(long.totals.at(-2)).toBe(6);
  });
});

test("the parts of a bar fill it, without those of nothing", () => {
  expect(splitBar([3, 0, 1], 100)).toEqual([
    { index: 0, x: 0, width: 75 },
    { index: 2, x: 75, width: 25 },
  ]);
  expect(splitBar([0, 0], 100)).toEqual([]);
});
