import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { GrowingBytes } from "#http1/growing-bytes.ts";
import { bytesOf, concat, textOf } from "../support/bytes.ts";

test("pieces of any sizes are one array, and the next ones begin again", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      const growing = new GrowingBytes();
      for (let time = 0; time < 2; time += 1) {
        for (const piece of pieces) growing.push(piece);
        const all = concat(pieces);
        expect([growing.size, growing.all]).toEqual([all.length, all]);
        expect(growing.take()).toEqual(all);
        expect([growing.size, growing.all]).toEqual([0, new Uint8Array()]);
      }
    }),
  );
});

test("room for the last bytes is not taken twice", () => {
  const growing = new GrowingBytes(5);
  for (const text of ["abc", "d", "e"]) growing.push(bytesOf(text));
  expect([textOf(growing.all), growing.all.buffer.byteLength]).toEqual(["abcde", 5]);
  growing.push(bytesOf("more"));
  expect(textOf(growing.all)).toBe("abcdemore");
});

test("bytes that were taken are not written again", () => {
  const growing = new GrowingBytes();
  growing.push(bytesOf("one"));
  const taken = growing.take();
  growing.push(bytesOf("two"));
  expect([textOf(taken), textOf(growing.all)]).toEqual(["one", "two"]);
});
