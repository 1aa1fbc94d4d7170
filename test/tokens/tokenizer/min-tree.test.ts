import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { noRank } from "#tokens/tokenizer/vocabulary-layout.ts";
import { MinTree, rowCapacity, WideMinTree } from "#tokens/tokenizer/min-tree.ts";
import { leftmostLowest, rankChanges, someRanks } from "./support/ranks.ts";

test.each([
  ["MinTree", () => new MinTree()],
  ["WideMinTree", (size: number) => new WideMinTree(size)],
])("%s finds the leftmost lowest of any row after any changes", (_, make) => {
  const tree = make(0);
  fc.assert(
    fc.property(someRanks(700), rankChanges, (ranks, changes) => {
      const row = tree instanceof MinTree ? tree : make(ranks.length);
      for (const [index, value] of ranks.entries()) row.set(index, value);
      row.build(ranks.length);
      expect(row.find()).toBe(leftmostLowest(ranks));
      for (const [seed, value] of changes) {
        const index = seed % ranks.length;
        ranks[index] = value;
        row.set(index, value);
        row.refresh(index, index);
        expect(row.find()).toBe(leftmostLowest(ranks));
        expect(row.rankAt(index)).toBe(value);
      }
    }),
    { numRuns: 300 },
  );
});

test("MinTree forgets the row before, also where that was longer", () => {
  const row = new MinTree();
  for (const size of [rowCapacity, 65, 64, 63, 9, 8, 7, 1]) {
    for (let index = 0; index < size; index++) row.set(index, size + index);
    row.build(size);
    expect(row.find()).toBe(0);
    for (let index = 0; index < size; index++) row.set(index, noRank);
    row.build(size);
    expect(row.find()).toBe(-1);
  }
});

test("MinTree refreshes every block between two indices", () => {
  const row = new MinTree();
  for (const size of [9, 64, 500, rowCapacity]) {
    for (let index = 0; index < size; index++) row.set(index, noRank);
    row.build(size);
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

test("WideMinTree has room for indices that do not fit next to a rank into 31 bits", () => {
  const size = 100_000;
  const row = new WideMinTree(size);
  row.build(size);
  expect(row.find()).toBe(-1);
  for (const index of [99_999, 50_000, 17]) {
    row.set(index, 199_997);
    row.refresh(index, index);
    expect(row.find()).toBe(index);
    expect(row.rankAt(index)).toBe(199_997);
  }
  row.set(17, noRank);
  row.refresh(17, 17);
  expect(row.find()).toBe(50_000);
});
