import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "bun:test";
import { decodeBody } from "#transport/http/gated/held-events.ts";
import { decodedBytesMax } from "#transport/http/answer-body.ts";
import { bytesOf, chunksOf, concat, textOf } from "../../../support/bytes.ts";
import { chunked } from "../../../support/chunked.ts";

const text = "data: é\n\n".repeat(50);

async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoded: Uint8Array[] = [];
  for await (const chunk of chunks) decoded.push(chunk.slice());
  return textOf(concat(decoded));
}

test.each([
  ["none", bytesOf(text)],
  ["gzip", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["br", brotliCompressSync(text)],
] as const)("%s: the text, however it is cut", async (coding, bytes) => {
  const cut = chunksOf(new Uint8Array(bytes), [1, 2, 9, 20]);
  const { chunks, onMessageEnd } = decodeBody(chunked(cut), coding);
  onMessageEnd();
  expect(await read(chunks)).toBe(text);
});

test("a coded body that ends early is read up to there; one that is damaged, too long or breaks off fails", async () => {
  const cut = chunked([gzipSync(text).subarray(0, 30)]);
  expect(text).toStartWith(await read(decodeBody(cut, "gzip").chunks));
  const damaged = chunked([gzipSync(text).subarray(0, 30), bytesOf("no gzip at all")]);
  expect(read(decodeBody(damaged, "gzip").chunks)).rejects.toThrow("cannot be read");
  const long = chunked([gzipSync(new Uint8Array(decodedBytesMax + 1))]);
  expect(read(decodeBody(long, "gzip").chunks)).rejects.toThrow("cannot be read");
  const broken = chunked([gzipSync(text).subarray(0, 30)], new Error("broke"));
  expect(read(decodeBody(broken, "gzip").chunks)).rejects.toThrow("broke");
});
