import { describe, expect, test } from "bun:test";
import { parseHead } from "#http-client/answer-head.ts";
import { answerHeadBytesMax, answerLinesMax } from "#limits/http.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

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

  test("a megabyte of white space in a folded field does not take longer than another one", () => {
    const spaces = " ".repeat(answerHeadBytesMax - 100);
    const head = parseHead(latin1(`HTTP/1.1 200 OK\r\nA: b\r\n c${spaces}d \t \r\n\r\n`));
    expect(head.headers.get("a")).toBe(`b c${spaces}d`);
  });

  test("as many lines as there may be, and one more", () => {
    // The status line, and the two ends of lines behind the last one.
    const longest = `HTTP/1.1 200 OK\r\n${"A: b\r\n".repeat(answerLinesMax - 3)}\r\n`;
    const head = parseHead(latin1(longest));
    expect(head.headers.get("a")?.split(",")).toHaveLength(answerLinesMax - 3);
    expect(() => parseHead(latin1(longest.replace("\r\n", "\r\nA: b\r\n")))).toThrow(
      "HPE_HEADER_OVERFLOW",
    );
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
