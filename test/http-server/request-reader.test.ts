import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { chunkOf, lastChunk } from "#http-server/answer-bytes.ts";
import { rejectedStatus } from "#http-server/request-fault.ts";
import { RequestReader } from "#http-server/request-reader.ts";
import { requestBytesMax, requestHeadBytesMax } from "#limits/http.ts";
import { anyCuts, bytesOf, chunksOf, concat, textOf } from "../support/bytes.ts";

const head = (...fields: string[]) =>
  ["POST /mcp HTTP/1.1", "Host: localhost", ...fields, "", ""].join("\r\n");
const sized = (text: string) => head(`Content-Length: ${bytesOf(text).length}`) + text;
const chunkedHead = head("Transfer-Encoding: chunked");

/** All requests in these chunks, as a connection reads them: the bytes behind one belong to the next. */
function readAll(chunks: readonly Uint8Array[]): (string | undefined)[] {
  const bodies: (string | undefined)[] = [];
  let reader = new RequestReader();
  for (const chunk of chunks) {
    let rest = chunk;
    for (;;) {
      rest = reader.push(rest);
      if (!reader.isComplete) break;
      bodies.push(reader.body && textOf(reader.body));
      reader = new RequestReader();
      if (rest.length === 0) break;
    }
  }
  expect(reader.isWithin).toBe(false);
  return bodies;
}

function statusOf(text: string): number {
  try {
    new RequestReader().push(bytesOf(text));
    return 0;
  } catch (error) {
    return rejectedStatus(error);
  }
}

describe("RequestReader", () => {
  test.each([
    ["a length", sized("abc"), ["abc"]],
    ["no body", head(), [undefined]],
    ["no bytes", sized(""), [undefined]],
    ["chunks", `${chunkedHead}2\r\nab\r\n1;x=y\r\nc\r\n0\r\nTrailer: z\r\n\r\n`, ["abc"]],
    ["the last chunk alone", `${chunkedHead}0\r\n\r\n`, [""]],
    ["several requests", sized("a") + head() + sized("bc"), ["a", undefined, "bc"]],
    ["empty lines before a request", `\r\n\r\n${sized("a")}\r\n\n${sized("b")}`, ["a", "b"]],
    ["a body that looks like a request", sized(head()), [head()]],
  ])("%s, however the bytes are cut", (_, text, bodies) => {
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        expect(readAll(chunksOf(bytesOf(text), cuts))).toEqual(bodies);
      }),
    );
  });

  test("random bodies, with a length or in chunks of any size, cut anywhere", () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(bodies, fc.boolean(), anyCuts, (pieces, isChunked, cuts) => {
        const body = concat(pieces);
        const parts = pieces.flatMap((piece) => (piece.length > 0 ? chunkOf(piece) : []));
        const bytes = isChunked
          ? concat([bytesOf(chunkedHead), ...parts, lastChunk])
          : concat([bytesOf(head(`Content-Length: ${body.length}`)), body]);
        const reader = new RequestReader();
        for (const chunk of chunksOf(bytes, cuts)) expect(reader.push(chunk)).toHaveLength(0);
        expect(reader.isComplete).toBe(true);
        expect(reader.body ?? new Uint8Array()).toEqual(body);
      }),
    );
  });

  test("is within a request from its first byte to its last one", () => {
    const reader = new RequestReader();
    const states = [...sized("ab")].map((one) => {
      reader.push(bytesOf(one));
      return reader.isWithin;
    });
    expect(new RequestReader().isWithin).toBe(false);
    expect(states.slice(0, -1)).not.toContain(false);
    expect(states.at(-1)).toBe(false);
  });

  test("a body that nobody wants is read to its end, and not kept", () => {
    const reader = new RequestReader();
    reader.push(bytesOf(head("Content-Length: 6")));
    reader.push(bytesOf("abc"));
    reader.drop();
    expect(textOf(reader.push(bytesOf("defGET")))).toBe("GET");
    expect([reader.isComplete, textOf(reader.body)]).toEqual([true, "abc"]);
  });

  test("the longest head and the longest body are read, and no longer ones", () => {
    const field = `X: ${"x".repeat(requestHeadBytesMax - head("X: ").length)}`;
    expect(statusOf(head(field))).toBe(0);
    expect(statusOf(head(`${field}x`))).toBe(431);
    // It never ends.
    expect(statusOf(`GET /${"x".repeat(requestHeadBytesMax)}`)).toBe(431);

    const piece = new Uint8Array(requestBytesMax / 4);
    const size = bytesOf(`${piece.length.toString(16)}\r\n`);
    const reader = new RequestReader();
    reader.push(bytesOf(chunkedHead));
    const pushPiece = () => [size, piece, bytesOf("\r\n")].forEach((part) => reader.push(part));
    for (let time = 0; time < 4; time += 1) pushPiece();
    expect(reader.body).toHaveLength(requestBytesMax);
    reader.push(bytesOf("1\r\n"));
    expect(() => reader.push(bytesOf("x"))).toThrow("413");
  });

  test("a chunk without a size is not valid", () => {
    for (const size of ["", "x", "-1", "0x1", "1 1", " 1", "11111111111111"])
      expect([size, statusOf(`${chunkedHead}${size}\r\n`)]).toEqual([size, 400]);
  });
});
