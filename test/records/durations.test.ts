import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { Durations } from "#records/tool-tally.ts";

function folded(list: readonly number[]): Durations {
  const durations = new Durations();
  for (const ms of list) durations.add(ms);
  return durations;
}

function exact(list: readonly number[], share: number): number {
  const sorted = list.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0;
}

const share = fc.constantFrom(0, 0.25, 0.5, 0.9, 0.95, 0.99, 1);
const durations = fc.array(
  fc.oneof(
    fc.double({ min: 0.001, max: 1e9, noNaN: true }),
    fc.constantFrom(0.001, 1, 1, 10, 3_600_000),
  ),
  { minLength: 1, maxLength: 100 },
);

describe("percentile", () => {
  test("is within one percent of the exact one", () => {
    fc.assert(
      fc.property(durations, share, (list, at) => {
        const wanted = exact(list, at);
        const found = folded(list).percentile(at);
        expect(Math.abs(found - wanted)).toBeLessThanOrEqual(wanted * 0.01);
      }),
    );
  });

  test("does not depend on the order", () => {
    fc.assert(
      fc.property(durations, share, (list, at) => {
        expect(folded(list.toReversed()).percentile(at)).toBe(folded(list).percentile(at));
      }),
    );
  });

  const rows: readonly (readonly [
    what: string,
    list: readonly number[],
    share: number,
    ms: number,
  ])[] = [
    ["nothing", [], 0.95, 0],
    ["no time at all", [0, 0, 0], 0.95, 0],
    ["less than a microsecond", [0.0009], 0.95, 0],
    ["one", [1], 0.95, 1],
    ["19 of 20 fast", [...Array(19).fill(1), 1_000], 0.95, 1],
    ["no time, then some", [0, 0, 1], 0.5, 0],
  ];
  for (const [what, list, at, ms] of rows) {
    test(`of ${what} is ${ms}`, () => {
      expect(folded(list).percentile(at)).toBe(ms);
    });
  }
});
