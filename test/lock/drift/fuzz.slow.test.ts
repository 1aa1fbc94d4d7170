import { expect, test } from "bun:test";
import { allowed } from "../../support/measure.ts";
import { judgePairs } from "./schema-pairs.ts";

test(
  "of 1,000 pairs of schemas no breaking one is missed, and at most 5 % of the compatible are BREAKING",
  () => {
    const { breaking, compatible, missed, undecided, falseAlarms, unproven } = judgePairs(0, 1_000);
    expect({ missed, unproven }).toEqual({ missed: [], unproven: [] });
    expect(breaking).toBeGreaterThan(100);
    expect(falseAlarms.length).toBeLessThanOrEqual(compatible * 0.05);
    expect(undecided.length).toBeLessThanOrEqual(breaking * 0.02);
  },
  allowed(300_000),
);
