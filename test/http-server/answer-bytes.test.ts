import { describe, expect, test } from "bun:test";
import { answerHead, chunkOf, lastChunk } from "#http-server/answer-bytes.ts";
import { concat, textOf } from "../support/bytes.ts";

const stays = { minorVersion: 1, persists: true };
const dated = { date: "Mon, 23 Nov 2026 10:00:00 GMT" };
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const headOf = (
  headers: Record<string, string> | Headers,
  { status = 200, statusText }: { status?: number; statusText?: string } = {},
  client = stays,
) =>
  latin1(
    answerHead(
      { status, statusText, headers: new Headers(headers), body: undefined },
      "content-length: 0\r\n",
      client,
    ),
  );

const connectionOf = (minorVersion: number, persists: boolean) =>
  /^connection: .*$/m.exec(headOf(dated, {}, { minorVersion, persists }))?.[0].trim();

describe("answerHead", () => {
  test("status, fields, framing, and an empty line", () => {
    expect(headOf({ ...dated, etag: "x" })).toBe(
      `HTTP/1.1 200 OK\r\ndate: ${dated.date}\r\netag: x\r\ncontent-length: 0\r\n\r\n`,
    );
  });

  test.each([
    [{ status: 404 }, "404 Not Found"],
    [{ status: 404, statusText: "Nope" }, "404 Nope"],
    [{ status: 404, statusText: "" }, "404 "],
    [{ status: 499 }, "499 "],
  ])("%j is the status line %j", (answer, line) => {
    expect(headOf(dated, answer).split("\r\n")[0]).toBe(`HTTP/1.1 ${line}`);
  });

  test("each cookie is a field of its own", () => {
    const headers = new Headers(dated);
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    expect(headOf(headers)).toContain("set-cookie: a=1\r\nset-cookie: b=2\r\n");
  });

  test("fields of the connection are ours, and a server's date stays", () => {
    const foreign = {
      connection: "upgrade",
      "content-length": "9",
      "keep-alive": "timeout=1",
      "transfer-encoding": "gzip",
      date: "yesterday",
    };
    expect(headOf(foreign)).toBe("HTTP/1.1 200 OK\r\ndate: yesterday\r\ncontent-length: 0\r\n\r\n");
    expect(headOf({})).toMatch(/\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
  });

  test("the client is told where its connection ends, and one of HTTP/1.0 where it does not", () => {
    expect([
      connectionOf(1, true),
      connectionOf(1, false),
      connectionOf(0, true),
      connectionOf(0, false),
    ]).toEqual([undefined, "connection: close", "connection: keep-alive", "connection: close"]);
  });

  test("Latin-1 passes; no other character becomes the end of a line", () => {
    expect(headOf({ ...dated, x: "\xe9" })).toContain("x: \xe9\r\n");
    // Cut to a byte, they are a carriage return and a line feed.
    expect(headOf(dated, { statusText: "a\u010d\u010ab" })).toStartWith("HTTP/1.1 200 a??b\r\n");
  });
});

test("a piece is a chunk of its size in hexadecimal digits, and the last one is empty", () => {
  expect(textOf(concat(chunkOf(new Uint8Array(26).fill(120))))).toBe(`1a\r\n${"x".repeat(26)}\r\n`);
  expect(textOf(lastChunk)).toBe("0\r\n\r\n");
});
