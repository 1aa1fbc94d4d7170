import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { makeAnswerReader, classifyBody } from "#transport/http/answer-body.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";

async function looked(headers: Readonly<Record<string, string>>, chunks: readonly Uint8Array[]) {
  const texts: string[] = [];
  const form = classifyBody("POST", { status: 200, headers: new Headers(headers) });
  const coded = headers["content-encoding"] ?? null;
  const reader =
    form && makeAnswerReader(form, coded, ({ line }) => void texts.push(textOf(line.bytes)));
  if (!reader) return undefined;
  for (const chunk of chunks) await reader.push(chunk);
  await reader.end();
  return { texts, isResumable: reader.isResumable() };
}

const json = { "content-type": "application/json; charset=utf-8" };
const events = { "content-type": "Text/Event-Stream" };
const gzip = { "content-encoding": "gzip" };

const coded = (text: string) => [gzipSync(text)];

describe("makeAnswerReader", () => {
  test("JSON is one message, whatever newlines it has", async () => {
    const chunks = ['{"a":', "\n1}\r\n"].map(bytesOf);
    expect(await looked(json, chunks)).toEqual({ texts: ['{"a":\n1}\r\n'], isResumable: false });
    expect(await looked(json, [])).toEqual({ texts: [], isResumable: false });
  });

  test("a stream of events is a message for each, and resumable by their ids", async () => {
    const text = "data: 1\n\nid: 7\ndata: 2\n\n";
    expect(await looked(events, [bytesOf(text)])).toEqual({ texts: ["1", "2"], isResumable: true });
  });

  test("coded answers are read from a decoded copy", async () => {
    expect((await looked({ ...json, ...gzip }, coded("{}")))?.texts).toEqual(["{}"]);
    const stream = coded("data: 1\n\ndata: 2\n\n");
    expect((await looked({ ...events, ...gzip }, stream))?.texts).toEqual(["1", "2"]);
  });

  test.each([
    [{}],
    [{ "content-type": "text/html" }],
    [{ "content-type": "application/json-seq" }],
    [{ ...json, "content-encoding": "gzip, br" }],
  ])("%j is not read", async (headers) => {
    expect(await looked(headers, [])).toBeUndefined();
  });
});
