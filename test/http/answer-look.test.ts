import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { lookAt, readChunk } from "#http/answer-look.ts";
import { bodyForm } from "#http/body-form.ts";
import { lineObservedBytesMax } from "#limits/lines.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

async function looked(headers: Readonly<Record<string, string>>, chunks: readonly Uint8Array[]) {
  const texts: string[] = [];
  const head = { status: 200, headers: new Headers(headers) };
  const form = bodyForm("POST", head);
  const look =
    form && lookAt(form, head.headers, ({ line }) => void texts.push(textOf(line.bytes)));
  if (!look) return undefined;
  for (const chunk of chunks) await look.push(chunk);
  await look.end();
  return { texts, isResumable: look.isResumable() };
}

const json = { "content-type": "application/json; charset=utf-8" };
const events = { "content-type": "Text/Event-Stream" };
const gzip = { "content-encoding": "gzip" };

const coded = (text: string) => [gzipSync(text)];

describe("lookAt", () => {
  test("JSON is one message, whatever newlines it has", async () => {
    const chunks = ['{"a":', "\n1}\r\n"].map(bytesOf);
    expect(await looked(json, chunks)).toEqual({ texts: ['{"a":\n1}\r\n'], isResumable: false });
    expect(await looked(json, [])).toEqual({ texts: [], isResumable: false });
  });

  test("a stream of events is a message for each, and resumable by their ids", async () => {
    const text = "data: 1\n\nid: 7\ndata: 2\n\n";
    expect(await looked(events, [bytesOf(text)])).toEqual({ texts: ["1", "2"], isResumable: true });
  });

  test.each([
    ["its length says so", { ...json, "content-length": String(lineObservedBytesMax + 1) }, 0],
    ["it has so many bytes", json, 1],
    ["an event has so many bytes", events, 1],
  ])("within a message that is too long nothing is kept: %s", (_name, headers, keptChunks) => {
    const lines: unknown[] = [];
    const head = { status: 200, headers: new Headers(headers) };
    const look = lookAt(bodyForm("POST", head) ?? "whole", head.headers, ({ line }) => {
      lines.push([line.bytes, line.size, line.skim?.closed]);
    });
    const start = bytesOf(headers === events ? 'data: {"a":"' : '{"a":"');
    const rest = Buffer.alloc(lineObservedBytesMax + 1 - start.length, "a");
    const skimmed = [start, rest].map((chunk) => {
      void look?.push(chunk);
      return look?.isSkimming();
    });
    expect(skimmed).toEqual([keptChunks === 0, headers !== events]);
    for (const end of ["aaaaaaa", '"}', headers === events ? "\n\n" : ""])
      void look?.push(bytesOf(end));
    void look?.end();
    expect(look?.isSkimming()).toBe(headers !== events ? lines.length === 0 : false);
    expect(lines).toEqual([[undefined, expect.any(Number), true]]);
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

describe("readChunk", () => {
  const head = { status: 200, headers: new Headers(events) };
  const looking = (take: () => void = () => undefined) => {
    const look = lookAt("events", head.headers, take);
    if (!look) throw new Error("it is not read");
    return look;
  };
  const long = Buffer.alloc(lineObservedBytesMax, "a");

  test("nothing is kept of a chunk within a long event", async () => {
    const look = looking();
    const chunks = [bytesOf("data: "), long, bytesOf("a"), bytesOf("a"), bytesOf("a\n\n")];
    const kept: boolean[] = [];
    for (const chunk of chunks) kept.push(!(await readChunk(look, chunk)));
    expect(kept).toEqual([true, true, true, false, true]);
  });

  test("a short event between two long ones is kept", async () => {
    let taken = 0;
    const look = looking(() => void (taken += 1));
    for (const chunk of [bytesOf("data: "), long, bytesOf("a")]) await readChunk(look, chunk);
    const next = Buffer.concat([bytesOf("\n\ndata: {}\n\ndata: a"), long]);
    expect(await readChunk(look, next)).toBe(false);
    expect([look.isSkimming(), taken]).toEqual([true, 2]);
  });
});
