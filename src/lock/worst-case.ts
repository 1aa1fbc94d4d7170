import type { AnswerBound } from "./answer-bound.ts";
import { charactersPerToken } from "./item-size.ts";

/** Items assumed of an unbounded answer. */
const unboundedItems = 100;

/** Tokens around the items of a bounded list: its keys, its paging, its totals. */
const envelopeTokens = 50;

/**
 * Tokens of the longest answer that a definition allows: ⌈bytes ÷ 3.5⌉ of a declared size, base × items +
 * 50 of a bounded list, and base × 100 of an unbounded answer, which is a warning and not a maximum.
 */
export function worstCaseTokens(bound: AnswerBound): number {
  switch (bound.kind) {
    case "declared":
      return Math.ceil(bound.bytes / charactersPerToken);
    case "bounded":
      return bound.baseTokens * bound.items + envelopeTokens;
    case "unbounded":
      return bound.baseTokens * unboundedItems;
  }
}
