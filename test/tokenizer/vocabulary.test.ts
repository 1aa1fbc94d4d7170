import { describe, expect, test } from "bun:test";
import { noRank } from "#tokenizer/layout.ts";
import { Vocabulary } from "#tokenizer/vocabulary.ts";
import { everyToken } from "./support/every-token.ts";
import { encodings, vocabulary } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";

for (const encoding of encodings) {
  describe(encoding, async () => {
    const view = await vocabulary(encoding);
    const { text, ends } = everyToken(encoding);

    test("rank is the published one for every token", () => {
      const wrong: number[] = [];
      for (const [rank, end] of ends.entries()) {
        const from = ends[rank - 1] ?? 0;
        if (view.rank(text, from, end - from) !== rank) wrong.push(rank);
      }
      expect(wrong).toEqual([]);
    });

    test("rank is noRank for what is no token", () => {
      for (const absent of [
        "qzxqj",
        "ab\u0000\u0000",
        "abcdefg\u0003",
        "a".repeat(129),
        "\u0000\u0001",
      ]) {
        const bytes = utf8(absent);
        expect(view.rank(bytes, 0, bytes.end)).toBe(noRank);
      }
    });
  });
}

test("Vocabulary rejects a file that is not one", () => {
  expect(() => new Vocabulary(new ArrayBuffer(4096))).toThrow(
    "is not packed in the current format",
  );
});
