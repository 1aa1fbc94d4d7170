import { expect, test } from "bun:test";
import { filterBits, hashEnd, hashShort, hashWord, tableSlot } from "#tokenizer/hash.ts";

test("tableSlot reaches every slot of a table and none outside", () => {
  for (const factor of [1, 3, 5, 7]) {
    const seen = new Set<number>();
    for (let number = 0; number < 4000; number++)
      seen.add(tableSlot(hashShort(number, 0, 4), 15, factor));
    expect(Math.min(...seen)).toBe(0);
    expect(Math.max(...seen)).toBe(16 * factor - 1);
    expect(seen.size).toBe(16 * factor);
  }
});

test("hashes differ by length, order and word", () => {
  const hashes = [
    hashShort(1, 0, 1),
    hashShort(1, 0, 2),
    hashShort(0, 1, 5),
    hashLong(9, 1, 2, 3),
    hashLong(10, 1, 2, 3),
    hashLong(9, 2, 1, 3),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("filterBits sets one or two bits", () => {
  for (let number = 0; number < 100; number++) {
    expect([1, 2]).toContain(bitsIn(filterBits(hashShort(number, 0, 4))));
  }
});

function hashLong(length: number, ...words: number[]): number {
  return hashEnd(words.reduce(hashWord, length));
}

function bitsIn(word: number): number {
  return (word >>> 0).toString(2).replaceAll("0", "").length;
}
