import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { HeadGatherer, parseHead } from "#http-client/answer-head.ts";
import { answerHeadBytesMax } from "#limits/http.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../support/bytes.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

describe("HeadGatherer", () => {
  test.each([
    ["HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "rest"],
    ["HTTP/1.1 200 OK\nA: b\n\n", "\n\nrest"],
    ["HTTP/1.0 200 OK\r\nA: b\n\r\n", ""],
    ["HTTP/1.1 204 \r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"],
  ])("%j ends at its empty line, however it is cut", (head, rest) => {
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        const gatherer = new HeadGatherer();
        const chunks = chunksOf(bytesOf(head + rest), cuts);
        for (const [at, chunk] of chunks.entries()) {
          const found = gatherer.push(chunk);
          if (!found) continue;
          expect(textOf(found.head)).toBe(head);
          expect(textOf(Buffer.concat([found.rest, ...chunks.slice(at + 1)]))).toBe(rest);
          return;
        }
        expect.unreachable();
      }),
    );
  });

  test("the longest head is read, also byte by byte; a longer one is not, with or without its end", () => {
    const longest = `HTTP/1.1 200 OK\r\nA: ${"b".repeat(answerHeadBytesMax - 24)}\r\n\r\n`;
    const gatherer = new HeadGatherer();
    const bytes = bytesOf(longest);
    for (let at = 0; at < bytes.length - 1; at += 1) gatherer.push(bytes.subarray(at, at + 1));
    expect(gatherer.push(bytes.subarray(-1))?.head).toHaveLength(answerHeadBytesMax);
    const longer = longest.replace("A: ", "A:  ");
    for (const text of [longer, `${longer.slice(0, -2)}xx`])
      expect(() => new HeadGatherer().push(bytesOf(text))).toThrow("HPE_HEADER_OVERFLOW");
  });
});

describe("parseHead", () => {
  test("the status, its text and the fields, in Latin-1 and with white space around their values", () => {
    const text =
      "HTTP/1.1 404 Not \xe9\r\nA: b\r\na:\tc \t\r\nUTF: \xc3\xa0\r\nSet-Cookie: x=1\r\nSet-Cookie: y\r\nEmpty:\r\n\r\n";
    const { minorVersion, status, statusText, headers } = parseHead(latin1(text));
    expect([minorVersion, status, statusText]).toEqual([1, 404, "Not \xe9"]);
    expect(headers.get("a")).toBe("b, c");
    expect(headers.get("utf")).toBe("\xc3\xa0");
    expect(headers.getSetCookie()).toEqual(["x=1", "y"]);
    expect(headers.get("empty")).toBe("");
  });

  test("lines without a carriage return, a folded field, no reason, and HTTP/1.0", () => {
    const head = parseHead(latin1("HTTP/1.0 200\nA: b\n  c \n\td\n\n"));
    expect([head.minorVersion, head.statusText]).toEqual([0, ""]);
    expect(head.headers.get("a")).toBe("b c d");
  });

  test.each([
    "",
    "220 mail.example ESMTP",
    "HTTP/2 200 OK",
    "HTTP/1.2 200 OK",
    "http/1.1 200 OK",
    "HTTP/1.1 20 OK",
    "HTTP/1.1 2000 OK",
    "HTTP/1.1  200 OK",
    "HTTP/1.1 200 O\rK",
    "HTTP/1.1 200 O\0K",
    "HTTP/1.1 200 OK\r\nno colon",
    "HTTP/1.1 200 OK\r\n: no name",
    "HTTP/1.1 200 OK\r\nwhite : space",
    "HTTP/1.1 200 OK\r\n folded: nothing",
    "HTTP/1.1 200 OK\r\nA: b\rc",
    "HTTP/1.1 200 OK\r\nA: b\0c",
    "HTTP/1.1 200 OK\r\nA: \x1b[31m",
    "HTTP/1.1 200 OK\r\nA: b\r\n \x7f",
    "HTTP/1.1 200 OK\r\n\xe9: b",
  ])("%j is not valid", (text) => {
    expect(() => parseHead(latin1(`${text}\r\n\r\n`))).toThrow("HPE_INVALID_ANSWER");
  });
});
