import { describe, expect, test } from "bun:test";
import { copyLine, readName, type Position, readRawId } from "#meter/calls/call.ts";
import { skimBytes } from "#wire/skimmer.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";

function place(text: string, item?: number): Position {
  const bytes = bytesOf(text);
  return { line: { bytes, size: bytes.length, skim: undefined }, item };
}

function unread(text: string): Position {
  const bytes = bytesOf(text);
  const line = { bytes: undefined, size: bytes.length, skim: skimBytes(bytes) };
  return { line, item: undefined };
}

describe("rawIdAt", () => {
  for (const id of ["1", "1.0", "9007199254740993", '"a\\u0041"', '""', "-0", "1e2"]) {
    test(`gives ${id} as it was written, alone, in a batch and unread`, () => {
      const message = `{"id" : ${id} ,"method":"m"}`;
      expect(readRawId(place(`${message}\n`))).toBe(id);
      expect(readRawId(place(`[{"id":7}, ${message}]\n`, 1))).toBe(id);
      expect(readRawId(unread(`${message}\n`))).toBe(id);
    });
  }

  test("of a message without one is null, of one with two the last", () => {
    expect(readRawId(place('{"method":"m"}'))).toBe("null");
    expect(readRawId(place('{"id":1,"id":2}'))).toBe("2");
  });
});

describe("lineAt", () => {
  test("gives a line with one newline, in memory of its own", () => {
    for (const text of ["{}\n", "{}"]) {
      const given = place(text);
      const line = copyLine(given);
      expect(textOf(line)).toBe("{}\n");
      expect(line?.buffer === given.line.bytes?.buffer).toBe(false);
    }
    expect(textOf(copyLine(place('[{"a":1},{"b":2}]\n', 1)))).toBe('{"b":2}\n');
    expect(copyLine(unread("{}\n"))).toBeUndefined();
  });
});

describe("nameAt", () => {
  const deep = "[".repeat(500) + "]".repeat(500);

  test("finds the tool of a message that is too deep to parse", () => {
    const text = `{"method":"tools/call","params":{"arguments":${deep},"name":"se\\u0061rch"}}\n`;
    expect(readName(place(text))).toBe("search");
    expect(readName(place(`[{"id":1},${text.trim()}]`, 1))).toBe("search");
    expect(readName(unread(text))).toBe("search");
  });

  test("finds none where there is none", () => {
    const params = ['{"name":7}', "[]", '{"name":"torn', "7", `{"name":${deep}}`];
    for (const one of params) expect(readName(place(`{"params":${one}}`))).toBeUndefined();
    expect(readName(place("{}"))).toBeUndefined();
  });
});
