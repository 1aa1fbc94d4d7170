import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noRank } from "#tokenizer/layout.ts";
import { paddingBytes, type Utf8 } from "#tokenizer/utf8.ts";
import { Vocabulary } from "#tokenizer/vocabulary.ts";
import { encodings, root, vocabulary } from "./support/oracle.ts";
import { mergePlainly } from "./support/reference.ts";
import { utf8 } from "./support/utf8.ts";

/** All tokens one after the other, and where each ends. */
function everyToken(encoding: string): { text: Utf8; ends: number[] } {
  const path = join(root, `node_modules/gpt-tokenizer/data/${encoding}.tiktoken`);
  const tokens = readFileSync(path, "latin1")
    .trimEnd()
    .split("\n")
    .map((line) => Buffer.from(line.split(" ")[0] ?? "", "base64"));
  let end = 0;
  const ends = tokens.map((token) => (end += token.length));
  const bytes = new Uint8Array(Buffer.concat([...tokens, Buffer.alloc(paddingBytes)]));
  return { text: { bytes, view: new DataView(bytes.buffer), end, isFinal: true }, ends };
}

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

    test("a token outranks the two it is merged from, which lets equal neighbours be joined at once", () => {
      const wrong: number[] = [];
      for (const [rank, end] of ends.entries()) {
        const from = ends[rank - 1] ?? 0;
        if (end - from < 2) continue;
        const split = lastSplit(text, from, end, view);
        if (split.some((part) => part >= rank)) wrong.push(rank);
      }
      expect(wrong).toEqual([]);
    }, 30_000);
  });
}

/** Ranks of the two parts that a token's last merge joins; none when merging never makes the token. */
function lastSplit(text: Utf8, from: number, to: number, view: Vocabulary): number[] {
  const [split = to, ...rest] = mergePlainly(text, from, to, { vocabulary: view, partsMin: 2 });
  if (rest.length > 1) return [];
  const rankOf = (start: number, end: number) =>
    end - start === 1 ? -1 : view.rank(text, start, end - start);
  return [rankOf(from, split), rankOf(split, to)];
}

test("Vocabulary rejects a file that is not one", () => {
  expect(() => new Vocabulary(new ArrayBuffer(4096))).toThrow(
    "is not packed in the current format",
  );
});
