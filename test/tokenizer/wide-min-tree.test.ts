import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { noRank } from "#tokenizer/layout.ts";
import { WideMinTree } from "#tokenizer/wide-min-tree.ts";
import { leftmostLowest, rankChanges, someRanks } from "./support/ranks.ts";

test("WideMinTree finds the leftmost lowest of any row after any changes", () => {
  fc.assert(
    fc.property(someRanks(700), rankChanges, (ranks, changes) => {
      const row = new WideMinTree(ranks.length);
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
