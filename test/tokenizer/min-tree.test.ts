import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { noRank } from "#tokenizer/layout.ts";
import { allocatedBytes } from "./support/work.ts";
import { MinTree } from "#tokenizer/min-tree.ts";

/** Few ranks, so that equal ones meet. */
const rank = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: noRank }));

test("MinTree finds the leftmost lowest of any row after any changes", () => {
  const row = new MinTree();
  fc.assert(
    fc.property(
      fc.array(rank, { minLength: 1, maxLength: 700, size: "max" }),
      fc.array(fc.tuple(fc.nat(), rank), { maxLength: 20 }),
      (ranks, changes) => {
        row.resize(ranks.length);
        for (const [index, value] of ranks.entries()) row.set(index, value);
        row.build();
        expect(row.find()).toBe(leftmostLowest(ranks));
        for (const [seed, value] of changes) {
          const index = seed % ranks.length;
          ranks[index] = value;
          row.set(index, value);
          row.refresh(index, index);
          expect(row.find()).toBe(leftmostLowest(ranks));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("MinTree has wider keys for rows that do not fit 31 bits, and frees them", () => {
  const row = new MinTree();
  const size = 100_000;
  row.resize(size);
  for (let index = 0; index < size; index++) row.set(index, noRank);
  row.build();
  expect(row.find()).toBe(-1);
  for (const index of [99_999, 50_000, 17]) {
    row.set(index, 199_997);
    row.refresh(index, index);
    expect(row.find()).toBe(index);
    expect(row.rankAt(index)).toBe(199_997);
  }
  expect(row.areEqual(17, 99_999)).toBe(true);
  expect(row.areEqual(17, 18)).toBe(false);
  expect(allocatedBytes(() => row.resize(size))).toBe(0);
  row.release();
  expect(allocatedBytes(() => row.resize(size))).toBeGreaterThan(8 * size);
  row.release();
  row.resize(3);
  for (const index of [0, 1, 2]) row.set(index, 7 - index);
  row.build();
  expect(row.find()).toBe(2);
});

test("MinTree refreshes every block between two indices", () => {
  const row = new MinTree();
  for (const size of [9, 64, 500, 9000]) {
    row.resize(size);
    for (let index = 0; index < size; index++) row.set(index, noRank);
    row.build();
    const from = size >> 2;
    const to = size - 2;
    for (let index = from; index <= to; index++) row.set(index, 100_000 - index);
    row.refresh(from, to);
    for (let index = to; index >= from; index--) {
      expect(row.find()).toBe(index);
      expect(row.rankAt(index)).toBe(100_000 - index);
      row.set(index, noRank);
      row.refresh(index, index);
    }
    expect(row.find()).toBe(-1);
  }
});

function leftmostLowest(ranks: readonly number[]): number {
  const lowest = ranks.reduce((one, other) => Math.min(one, other));
  return lowest >= noRank ? -1 : ranks.indexOf(lowest);
}
