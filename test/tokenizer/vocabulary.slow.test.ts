import { expect, test } from "bun:test";
import type { Utf8 } from "#tokenizer/utf8.ts";
import type { Vocabulary } from "#tokenizer/vocabulary.ts";
import { everyToken } from "./support/every-token.ts";
import { encodings, vocabulary } from "./support/oracle.ts";
import { mergePlainly } from "./support/reference.ts";

for (const encoding of encodings) {
  test(`${encoding}: a token outranks the two it is merged from, which lets equal neighbours be joined at once`, async () => {
    const view = await vocabulary(encoding);
    const { text, ends } = everyToken(encoding);
    const wrong: number[] = [];
    for (const [rank, end] of ends.entries()) {
      const from = ends[rank - 1] ?? 0;
      if (end - from < 2) continue;
      const split = lastSplit(text, from, end, view);
      if (split.some((part) => part >= rank)) wrong.push(rank);
    }
    expect(wrong).toEqual([]);
  }, 30_000);
}

/** Ranks of the two parts that a token's last merge joins; none when merging never makes the token. */
function lastSplit(text: Utf8, from: number, to: number, view: Vocabulary): number[] {
  const [split = to, ...rest] = mergePlainly(text, from, to, { vocabulary: view, partsMin: 2 });
  if (rest.length > 1) return [];
  const rankOf = (start: number, end: number) =>
    end - start === 1 ? -1 : view.rank(text, start, end - start);
  return [rankOf(from, split), rankOf(split, to)];
}
