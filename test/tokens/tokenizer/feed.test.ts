import { expect, test } from "bun:test";
import { bufferBytes, Feed } from "#tokens/tokenizer/feed.ts";

function readAll(feed: Feed, keep: number): string {
  const parts: Uint8Array[] = [];
  while (!feed.isFinal) {
    const from = Math.max(0, feed.end - keep);
    parts.push(feed.bytes.slice(0, from));
    feed.readSlice(from);
  }
  parts.push(feed.bytes.slice(0, feed.end));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(parts));
}

const texts = {
  ascii: "abc ".repeat(30_000),
  wide: "中文".repeat(30_000),
  pairs: `a${"😀".repeat(40_000)}`,
  lone: "\ud800a\udc00".repeat(20_000),
  mark: "\ufeffabc",
  empty: "",
};

for (const [name, text] of Object.entries(texts)) {
  test(`Feed gives ${name} text whole, from a string and from bytes`, () => {
    for (const keep of [0, 1, 1000]) {
      expect(readAll(new Feed(text), keep)).toBe(text.toWellFormed());
      expect(readAll(new Feed(new TextEncoder().encode(text)), keep)).toBe(text.toWellFormed());
    }
  });
}

test("Feed replaces bytes that are not UTF-8, wherever a slice ends", () => {
  const bytes = Buffer.alloc(50_000, Buffer.from([0x61, 0xe4, 0xb8, 0xff, 0xf0, 0x9f, 0x98, 0x80]));
  const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  expect(readAll(new Feed(bytes), 5)).toBe(expected);
  const cutOff = Buffer.concat([Buffer.alloc(16_383, 0x61), Buffer.from([0xe4, 0xb8])]);
  expect(readAll(new Feed(cutOff), 0)).toBe(`${"a".repeat(16_383)}\ufffd`);
});

test("Feed does not cut a code point of a text of bytes, however many bytes continue none", () => {
  for (const tail of [1, 2, 3, 4, 5, 9]) {
    const bytes = Buffer.alloc(40_000, Buffer.from([0xf0, ...Array<number>(tail).fill(0x9f)]));
    const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    expect(readAll(new Feed(bytes), 0)).toBe(expected);
  }
});

test("Feed does not need more memory for a long text", () => {
  const feed = new Feed("a".repeat(1_000_000));
  while (!feed.isFinal) feed.readSlice(feed.end);
  expect(feed.bytes).toHaveLength(bufferBytes);
});

for (const [name, text] of Object.entries(texts)) {
  test(`Feed goes back and forth in ${name} text`, () => {
    const expected = Buffer.from(text.toWellFormed());
    const feed = new Feed(text);
    for (const share of [0.9, 0.1, 0.5, 0.45, 1, 0]) {
      const from = Math.floor(expected.length * share);
      feed.load(0, from);
      feed.load(from, from + 100);
      const at = from - feed.base;
      expect(feed.bytes.slice(at, Math.min(at + 100, feed.end))).toEqual(
        new Uint8Array(expected.subarray(from, from + 100)),
      );
    }
  });
}

test("Feed.load brings all of a stretch into memory, in a buffer large enough", () => {
  const feed = new Feed("0123456789".repeat(30_000));
  feed.load(20, 250_000);
  expect(feed.base + feed.end).toBeGreaterThanOrEqual(250_000);
  expect(feed.bytes[20 - feed.base]).toBe(0x30);
  expect(feed.bytes.length).toBeLessThan(600_000);
});
