import { describe, expect, test } from "bun:test";
import { piecesOf } from "#http1/body-source.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { chunked, sourceOf } from "../support/chunked.ts";

const abc = ["a", "b", "c"].map((text) => bytesOf(text));

describe("piecesOf", () => {
  test("all pieces, one by one", async () => {
    const pieces = await Array.fromAsync(piecesOf(sourceOf(chunked(abc))));
    expect(pieces.map((piece) => textOf(piece))).toEqual(["a", "b", "c"]);
  });

  test("a reader that stops gives up the rest, and one that has read all does not", async () => {
    for (const [stops, cancelled] of [
      ["b", 1],
      ["c and more", 0],
    ] as const) {
      let count = 0;
      const source = sourceOf(chunked(abc));
      const counted = { read: () => source.read(), cancel: async () => void (count += 1) };
      for await (const piece of piecesOf(counted)) if (textOf(piece) === stops) break;
      expect(count).toBe(cancelled);
    }
  });

  test("a body that breaks off breaks off", async () => {
    const broken = Array.fromAsync(piecesOf(sourceOf(chunked(abc, new Error("broke")))));
    expect(broken).rejects.toThrow("broke");
  });
});
