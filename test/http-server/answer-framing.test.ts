import { describe, expect, test } from "bun:test";
import { answerFraming, framingField } from "#http-server/answer-framing.ts";
import type { StreamedBody } from "#http-server/client-request.ts";

const streamed: StreamedBody = { read: async () => ({ done: true }), left: () => undefined };
const five = new Uint8Array(5);
const get = { method: "GET", minorVersion: 1 };

const answer = (
  body: Uint8Array | StreamedBody | undefined,
  headers: Record<string, string> = {},
  status = 200,
) => ({ status, headers: new Headers(headers), body });

/** The framing, and the field that says it. */
const framed = (one: ReturnType<typeof answer>, request = get) => {
  const framing = answerFraming(one, request);
  return [framing.kind, framingField(framing, one).trim()];
};

describe("answerFraming", () => {
  test.each([
    ["bytes", answer(five), ["length", "content-length: 5"]],
    [
      "bytes, whatever the server's field says",
      answer(five, { "content-length": "9" }),
      ["length", "content-length: 5"],
    ],
    ["no body", answer(undefined), ["length", "content-length: 0"]],
    [
      "a stream of known length",
      answer(streamed, { "content-length": "9" }),
      ["length", "content-length: 9"],
    ],
    ["a stream of unknown length", answer(streamed), ["chunked", "transfer-encoding: chunked"]],
    [
      "a length that is none",
      answer(streamed, { "content-length": "9, 9" }),
      ["chunked", "transfer-encoding: chunked"],
    ],
    ["204", answer(undefined, { "content-length": "9" }, 204), ["none", ""]],
    ["304", answer(undefined, { "content-length": "9" }, 304), ["none", "content-length: 9"]],
    ["304 without a length", answer(undefined, {}, 304), ["none", ""]],
  ])("%s", (_, one, expected) => {
    expect(framed(one)).toEqual(expected);
  });

  test("to HEAD, the length that the body would have, and no body", () => {
    const head = { method: "HEAD", minorVersion: 1 };
    expect(framed(answer(five), head)).toEqual(["none", "content-length: 5"]);
    expect(framed(answer(streamed, { "content-length": "9" }), head)).toEqual([
      "none",
      "content-length: 9",
    ]);
    expect(framed(answer(streamed), head)).toEqual(["none", ""]);
  });

  test("HTTP/1.0 knows no chunks: a stream of unknown length ends with its connection", () => {
    const old = { method: "GET", minorVersion: 0 };
    expect(framed(answer(streamed), old)).toEqual(["connection", ""]);
    expect(framed(answer(streamed, { "content-length": "9" }), old)).toEqual([
      "length",
      "content-length: 9",
    ]);
  });
});
