import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { NONE } from "#tokenizer/layout.ts";
import { areApart, Lowest } from "#tokenizer/lowest.ts";

/** Few ranks, so that equal ones meet. */
const rank = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: NONE }));

test("Lowest finds the leftmost lowest of any row after any changes", () => {
  const row = new Lowest();
  fc.assert(
    fc.property(
      fc.array(rank, { minLength: 1, maxLength: 700, size: "max" }),
      fc.array(fc.tuple(fc.nat(), rank), { maxLength: 20 }),
      (ranks, changes) => {
        row.resize(ranks.length);
        for (const [place, value] of ranks.entries()) row.fill(place, value);
        row.build();
        expect(row.find()).toBe(leftmostLowest(ranks));
        for (const [seed, value] of changes) {
          const place = seed % ranks.length;
          ranks[place] = value;
          row.fill(place, value);
          row.refresh(place);
          expect(row.find()).toBe(leftmostLowest(ranks));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("Lowest has wider keys for rows that do not fit 31 bits, and gives them back", () => {
  const row = new Lowest();
  const size = 100_000;
  row.resize(size);
  for (let place = 0; place < size; place++) row.fill(place, NONE);
  row.build();
  expect(row.find()).toBe(-1);
  for (const place of [99_999, 50_000, 17]) {
    row.fill(place, 199_997);
    row.refresh(place);
    expect(row.find()).toBe(place);
  }
  expect(row.areEqual(17, 99_999)).toBe(true);
  expect(row.areEqual(17, 18)).toBe(false);
  row.release();
  row.resize(3);
  for (const place of [0, 1, 2]) row.fill(place, 7 - place);
  row.build();
  expect(row.find()).toBe(2);
});

test("areApart tells blocks of 16", () => {
  expect(areApart(0, 15)).toBe(false);
  expect(areApart(15, 16)).toBe(true);
});

function leftmostLowest(ranks: readonly number[]): number {
  const lowest = ranks.reduce((one, other) => Math.min(one, other));
  return lowest >= NONE ? -1 : ranks.indexOf(lowest);
}
