import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { Merge } from "#tokens/tokenizer/merge.ts";
import { rowCapacity } from "#tokens/tokenizer/min-tree.ts";
import type { Utf8 } from "#tokens/tokenizer/feed.ts";
import { Vocabulary } from "#tokens/tokenizer/vocabulary.ts";
import { bombs } from "./support/bombs.ts";
import { encodings, vocabulary, vocabularyFile } from "./support/oracle.ts";
import { mergePlainly } from "./support/reference.ts";
import { anyText, runText, wordText } from "./support/texts.ts";
import { cpuMs } from "../../support/measure.ts";
import { utf8 } from "./support/utf8.ts";

for (const encoding of encodings) {
  test(`${encoding}: Merge leaves the tokens that merging pair by pair leaves`, async () => {
    const view = await vocabulary(encoding);
    const merge = new Merge(view);
    fc.assert(
      fc.property(fc.oneof(anyText, runText, wordText), (text) => {
        const bytes = utf8(text);
        if (bytes.end === 0) return;
        const parts = merge.run(bytes, 0, bytes.end);
        const ends: number[] = [];
        for (let end = 0; end < bytes.end;) {
          const next = merge.ends[end] ?? 0;
          expect(merge.starts[next]).toBe(end);
          ends.push((end = next));
        }
        expect(ends).toEqual(mergePlainly(bytes, 0, bytes.end, { vocabulary: view }));
        expect(parts).toBe(ends.length);
      }),
      { numRuns: 800 },
    );
  }, 30_000);
}

test("Merge in one row and in a wide one leaves the same tokens", async () => {
  const view = await vocabulary("o200k_base");
  const merge = new Merge(view);
  for (const size of [rowCapacity - 1, rowCapacity, rowCapacity + 1]) {
    const text = utf8("the quick brown fox jumps over a lazy dog".repeat(99));
    expect(merge.run(text, 0, size)).toBe(mergePlainly(text, 0, size, { vocabulary: view }).length);
  }
  merge.release();
});

test("Merge looks up few pairs of random letters: most are rejected by the bytes next to them", async () => {
  let lookups = 0;
  class Watched extends Vocabulary {
    override findRank(text: Utf8, from: number, length: number): number {
      lookups++;
      return super.findRank(text, from, length);
    }
  }
  const merge = new Merge(new Watched(await vocabularyFile("o200k_base")));
  const text = utf8(bombs["letters"]?.(100_000) ?? "");
  for (let at = 0; at + 128 <= text.end; at += 128) merge.run(text, at, at + 128);
  expect(text.end).toBe(100_000);
  expect(lookups).toBeLessThan(text.end / 4);
});

test("Merge is far from quadratic: 200,000 bytes at once cost little more than a hundred times 2,000", async () => {
  const merge = new Merge(await vocabulary("o200k_base"));
  const msInParts = async (bytes: number): Promise<number> => {
    const text = utf8("thequickbrownfox".repeat(bytes / 16));
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const spent = await cpuMs(() => {
        for (let done = 0; done < 200_000; done += bytes) merge.run(text, 0, text.end);
      });
      times.push(spent);
    }
    return Math.min(...times);
  };
  const short = await msInParts(2000);
  // Quadratic time would be a hundred times as long; the log factor and cache misses take a little.
  expect(await msInParts(200_000)).toBeLessThan(short * 20);
  merge.release();
  expect(merge.ends).toHaveLength(rowCapacity);
});
