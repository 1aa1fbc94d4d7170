import type { AnswerBound } from "./answer-bound.ts";
import { charactersPerToken } from "./item-size.ts";

const unboundedItems = 100;

/** Keys, paging and totals around a bounded list. */
const envelopeTokens = 50;

/** ⌈bytes ÷ 3.5⌉, base × items + 50, or base × 100 for an unbounded answer: a warning, not a maximum. */
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
