import { expect, test } from "bun:test";
import { BUFFER_BYTES, Feed } from "#tokenizer/feed.ts";

/** Reads all of it, dropping what a reader of `keep` unread bytes has read. */
function readAll(feed: Feed, keep: number): string {
  const parts: Uint8Array[] = [];
  while (!feed.isFinal) {
    const from = Math.max(0, feed.end - keep);
    parts.push(feed.bytes.slice(0, from));
    feed.more(from);
  }
  parts.push(feed.bytes.slice(0, feed.end));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(parts));
}

const TEXTS = {
  ascii: "abc ".repeat(30_000),
  wide: "中文".repeat(30_000),
  pairs: `a${"😀".repeat(40_000)}`,
  lone: "\ud800a\udc00".repeat(20_000),
  mark: "\ufeffabc",
  empty: "",
};

for (const [name, text] of Object.entries(TEXTS)) {
  test(`Feed gives ${name} text whole, from a string and from bytes`, () => {
    for (const keep of [0, 1, 1000]) {
      expect(readAll(new Feed(text), keep)).toBe(text.toWellFormed());
      expect(readAll(new Feed(new TextEncoder().encode(text)), keep)).toBe(text.toWellFormed());
    }
  });
}

test("Feed replaces bytes that are not UTF-8, wherever a slice ends", () => {
  const bytes = Buffer.alloc(50_000, Buffer.from([0x61, 0xe4, 0xb8, 0xff, 0xf0, 0x9f, 0x98, 0x80]));
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  expect(readAll(new Feed(bytes), 5)).toBe(whole);
  const cutOff = Buffer.concat([Buffer.alloc(16_383, 0x61), Buffer.from([0xe4, 0xb8])]);
  expect(readAll(new Feed(cutOff), 0)).toBe(`${"a".repeat(16_383)}\ufffd`);
});

test("Feed needs no more memory for a long text, and twice a piece that nobody drops", () => {
  const feed = new Feed("a".repeat(1_000_000));
  while (!feed.isFinal) feed.more(feed.end);
  expect(feed.bytes).toHaveLength(BUFFER_BYTES);
  const hoarder = new Feed("a".repeat(1_000_000));
  while (!hoarder.isFinal) hoarder.more(0);
  expect(hoarder.end).toBe(1_000_000);
  expect(hoarder.bytes.length).toBeLessThan(5_000_000);
});
