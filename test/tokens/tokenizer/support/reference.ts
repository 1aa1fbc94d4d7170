import { noRank } from "#tokens/tokenizer/vocabulary-layout.ts";
import type { Utf8 } from "#tokens/tokenizer/feed.ts";
import type { Vocabulary } from "#tokens/tokenizer/vocabulary.ts";

// Ends of the tokens of [from, to): naive byte-pair merging, one pair at a time until no pair is a token.
export function mergePlainly(
  text: Utf8,
  from: number,
  to: number,
  { vocabulary }: { readonly vocabulary: Vocabulary },
): number[] {
  const starts = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  for (;;) {
    let lowest = noRank;
    let index = -1;
    for (let at = 0; at + 2 < starts.length; at++) {
      const start = starts[at] ?? 0;
      const rank = vocabulary.findRank(text, start, (starts[at + 2] ?? 0) - start);
      if (rank < lowest) [lowest, index] = [rank, at];
    }
    if (index < 0) return starts.slice(1);
    starts.splice(index + 1, 1);
  }
}
