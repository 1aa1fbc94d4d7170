import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { ChunkedBody } from "#http1/chunked-body.ts";
import { chunkLineBytesMax, trailerBytesMax } from "#limits/http.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../support/bytes.ts";

/** The body in a framing of chunks, and the bytes behind it; undefined where its end did not come. */
function read(framed: string, cuts: readonly number[] = []) {
  const body = new ChunkedBody();
  const pieces: Uint8Array[] = [];
  const rest = chunksOf(bytesOf(framed), cuts).map((chunk) =>
    body.isOver ? chunk : body.push(chunk, (piece) => void pieces.push(piece)),
  );
  if (!body.isOver) return undefined;
  return [textOf(Buffer.concat(pieces)), textOf(Buffer.concat(rest))];
}

describe("ChunkedBody", () => {
  test.each([
    ["0\r\n\r\n", "", ""],
    ["3\r\nabc\r\n0\r\n\r\n", "abc", ""],
    ['3;name="value"\r\nabc\r\n00A\r\n0123456789\r\n0;x\r\n\r\n', "abc0123456789", ""],
    ["3\nabc\n0\n\nnext", "abc", "next"],
    ["1 \r\n\n\r\n0\r\nTrailer: one\r\nOther: two\r\n\r\nHTTP/1.1", "\n", "HTTP/1.1"],
  ])("%j is %j, and then %j, however it is cut", (framed, body, rest) => {
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        expect(read(framed, cuts)).toEqual([body, rest]);
      }),
    );
  });

  test("chance: any bytes in chunks of any size are the same", () => {
    const chunks = fc.array(fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }));
    fc.assert(
      fc.property(chunks, anyCuts, (parts, cuts) => {
        const framed = parts.map((part) => `${bytesOf(part).length.toString(16)}\r\n${part}\r\n`);
        expect(read(`${framed.join("")}0\r\n\r\n`, cuts)).toEqual([parts.join(""), ""]);
      }),
    );
  });

  test.each([
    "zz\r\n",
    "\r\n",
    "-1\r\n",
    "0x3\r\nabc\r\n",
    "3\r\nabcd\r\n",
    "3 3\r\n",
    "fffffffffffffff\r\n",
  ])("%j is not valid", (framed) => {
    expect(() => read(framed)).toThrow("HPE_INVALID_ANSWER");
  });

  test("lines and trailers are bounded", () => {
    expect(() => read(`3;${"x".repeat(chunkLineBytesMax)}`)).toThrow("HPE_INVALID_ANSWER");
    const trailers = "A: b\r\n".repeat(trailerBytesMax / 4);
    expect(() => read(`0\r\n${trailers}`)).toThrow("HPE_INVALID_ANSWER");
  });

  test("a body that is cut off has not ended", () => {
    for (const framed of ["3", "3\r\nab", "3\r\nabc", "3\r\nabc\r\n0\r\n"])
      expect(read(framed)).toBeUndefined();
  });
});
