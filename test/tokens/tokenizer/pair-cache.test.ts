import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { noRank } from "#tokens/tokenizer/vocabulary-layout.ts";
import { PairCache } from "#tokens/tokenizer/merge.ts";

test("PairCache finds a pair's rank until another pair replaces it, and never another pair's", () => {
  const anyRank = fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 199_997 }));
  const cache = new PairCache();
  const ranks = new Map<string, number>();
  let hits = 0;
  fc.assert(
    fc.property(anyRank, anyRank, fc.nat({ max: noRank }), (left, right, rank) => {
      const known = cache.get(left, right);
      const key = `${left} ${right}`;
      if (known >= 0) {
        hits++;
        expect(known).toBe(ranks.get(key) ?? Number.NaN);
        return;
      }
      cache.fillLastMiss(rank);
      ranks.set(key, rank);
      expect(cache.get(left, right)).toBe(rank);
    }),
    { numRuns: 5_000 },
  );
  expect(hits).toBeGreaterThan(100);
});

test("PairCache holds a full row of pairs at once, and forgets the older of two in one place", () => {
  const cache = new PairCache();
  for (let right = 0; right < 100_000; right++) {
    expect(cache.get(7, right)).toBe(-1);
    cache.fillLastMiss(right);
  }
  let hits = 0;
  for (let right = 0; right < 100_000; right++) if (cache.get(7, right) === right) hits++;
  expect(hits).toBeGreaterThan(10_000);
  expect(hits).toBeLessThanOrEqual(32_768);
});
