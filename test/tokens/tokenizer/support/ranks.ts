import * as fc from "fast-check";
import { noRank } from "#tokens/tokenizer/vocabulary-layout.ts";

// Few ranks, so that equal ones occur.
const rank = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: noRank }));

export function someRanks(maxLength: number): fc.Arbitrary<number[]> {
  return fc.array(rank, { minLength: 1, maxLength, size: "max" });
}

export const rankChanges = fc.array(fc.tuple(fc.nat(), rank), { maxLength: 20 });

export function leftmostLowest(ranks: readonly number[]): number {
  const lowest = ranks.reduce((a, b) => Math.min(a, b));
  return lowest >= noRank ? -1 : ranks.indexOf(lowest);
}
