import { describe, expect, test } from "bun:test";
import { ForwardedChunks, unreadBytesMax } from "#transport/http/relay.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";

describe("ForwardedChunks", () => {
  test("chunks are read in their order, after the turn in which they were forwarded", async () => {
    const log: string[] = [];
    const chunks = new ForwardedChunks(async (chunk) => {
      await Promise.resolve();
      log.push(textOf(chunk));
    });
    for (const text of ["a", "b", "c"]) expect(chunks.push(bytesOf(text))).toBeUndefined();
    expect(log).toEqual([]);
    await chunks.reading;
    expect(log).toEqual(["a", "b", "c"]);
    expect(chunks.reading).toBeUndefined();
    void chunks.push(bytesOf("d"));
    await chunks.reading;
    expect(log.at(-1)).toBe("d");
  });

  test("where too much waits, the answer waits until it is read", async () => {
    let bytes = 0;
    const chunks = new ForwardedChunks(async ({ length }) => {
      bytes += length;
    });
    expect(chunks.push(new Uint8Array(unreadBytesMax))).toBeUndefined();
    await chunks.push(bytesOf("a"));
    expect(bytes).toBe(unreadBytesMax + 1);
  });
});
