import { describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { parseContentCoding, BodyDecoder, decodedBytesMax } from "#transport/http/answer-body.ts";
import { bytesOf, concat, textOf } from "../../support/bytes.ts";

test.each([
  [null, "none"],
  ["", "none"],
  ["Identity", "none"],
  [" GZIP ", "gzip"],
  ["br", "br"],
  ["zstd", "zstd"],
  ["gzip, br", undefined],
  ["toString", undefined],
])("the coding %p is read as %p", (header, coding) => {
  expect(parseContentCoding(header)).toBe(coding as ReturnType<typeof parseContentCoding>);
});

async function decoded(
  coding: ConstructorParameters<typeof BodyDecoder>[0],
  chunks: readonly Uint8Array[],
): Promise<Uint8Array> {
  const outputs: Uint8Array[] = [];
  const decoding = new BodyDecoder(coding, (bytes) => void outputs.push(bytes));
  for (const chunk of chunks) await decoding.push(chunk);
  await decoding.end();
  return concat(outputs);
}

const text = JSON.stringify({ text: "words ".repeat(1_000) });

describe("BodyDecoder", () => {
  const rows = [
    ["gzip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["zstd", zstdCompressSync(text)],
  ] as const;
  for (const [coding, bytes] of rows) {
    test(`${coding}, whole and byte by byte`, async () => {
      expect(textOf(await decoded(coding, [bytes]))).toBe(text);
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      expect(textOf(await decoded(coding, single))).toBe(text);
    });
  }

  test("a body that ends early is read up to there, and damage ends the reading", async () => {
    const bytes = gzipSync(text, { level: 0 });
    expect(textOf(await decoded("gzip", [bytes.subarray(0, -20)]))).toStartWith('{"text":"words');
    expect(textOf(await decoded("gzip", [bytesOf("not gzip"), bytes]))).toBe("");
  });

  test("decodes up to the limit and no further, unless a message begins anew", async () => {
    const half = gzipSync(new Uint8Array(decodedBytesMax / 2));
    const sizes: number[] = [];
    const decoding = new BodyDecoder("gzip", (bytes) => void sizes.push(bytes.length));
    const sum = () => sizes.reduce((total, size) => total + size, 0);
    await decoding.push(concat([half, half]));
    expect(sum()).toBe(decodedBytesMax);
    decoding.resetLimit();
    await decoding.push(concat([half, half]));
    expect(sum()).toBe(2 * decodedBytesMax);
    await decoding.push(half);
    await decoding.end();
    expect(sum()).toBe(2 * decodedBytesMax);
  });
});
