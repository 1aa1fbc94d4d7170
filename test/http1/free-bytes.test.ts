import { expect, test } from "bun:test";
import { freeBytes, shareBytes } from "#http1/free-bytes.ts";
import { freedBytesMin } from "#limits/http.ts";

test("a chunk with memory of its own is empty afterwards", () => {
  const chunk = new Uint8Array(freedBytesMin);
  freeBytes(chunk);
  expect([chunk.length, chunk.buffer.byteLength]).toEqual([0, 0]);
});

test("a short one, a part of a longer one and shared memory stay", () => {
  const short = new Uint8Array(freedBytesMin - 1);
  const part = new Uint8Array(2 * freedBytesMin).subarray(freedBytesMin);
  const shared = new Uint8Array(new SharedArrayBuffer(freedBytesMin));
  for (const chunk of [short, part, shared]) {
    const { length } = chunk;
    freeBytes(chunk);
    expect(chunk).toHaveLength(length);
  }
});

test("a shared chunk is given back with the last of its pieces", () => {
  const chunk = new Uint8Array(freedBytesMin);
  const pieces = [chunk.subarray(1, 10), chunk.subarray(10, 20), chunk.subarray(21)];
  shareBytes(chunk, pieces);
  for (const piece of pieces.slice(1)) freeBytes(piece);
  expect(chunk).toHaveLength(freedBytesMin);
  freeBytes(chunk.subarray(1, 10));
  expect(chunk).toHaveLength(0);
});

test("a part of something else does not begin to be shared", () => {
  const part = new Uint8Array(2 * freedBytesMin).subarray(0, freedBytesMin);
  shareBytes(part, [part]);
  freeBytes(part);
  expect(part).toHaveLength(freedBytesMin);
});
