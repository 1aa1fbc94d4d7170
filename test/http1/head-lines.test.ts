import { describe, expect, test } from "bun:test";
import { readHead } from "#http1/head-lines.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const lenient = { linesMax: 10, mayFold: true };
const fields = (count: number) => latin1(`one\r\n${"a: b\r\n".repeat(count)}\r\n`);
const strict = { linesMax: 10, mayFold: false };

describe("readHead", () => {
  test("the first line, and the fields in Latin-1", () => {
    const { start, headers } = readHead(latin1("one\r\nA:\tb \r\na: \xe9\r\n\r\n"), strict);
    expect([start, headers.get("a")]).toEqual(["one", "b, \xe9"]);
  });

  test("a line may end without a carriage return", () => {
    const { start, headers } = readHead(latin1("one\nA: b\n\n"), strict);
    expect([start, headers.get("a")]).toEqual(["one", "b"]);
  });

  test("a folded field has a space there, where it may be folded", () => {
    const folded = latin1("one\r\nA: b\r\n \t c \t\r\n\r\n");
    expect(readHead(folded, lenient).headers.get("a")).toBe("b c");
    expect(() => readHead(folded, strict)).toThrow("HPE_INVALID_ANSWER");
  });

  test("the name of a field is a token", () => {
    for (const line of [": b", "a b: c", "a : b", "\xe9: b", "a", "a\0: b", " a: b"])
      expect(() => readHead(latin1(`one\r\n${line}\r\n\r\n`), lenient)).toThrow(
        "HPE_INVALID_ANSWER",
      );
  });

  test("as many lines as there may be", () => {
    // The first line, and the two ends of lines behind the last field.
    expect(readHead(fields(7), strict).headers.get("a")).toBe("b, b, b, b, b, b, b");
    expect(() => readHead(fields(8), strict)).toThrow("HPE_HEADER_OVERFLOW");
  });
});
