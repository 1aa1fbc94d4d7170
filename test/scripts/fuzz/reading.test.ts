import { expect, test } from "bun:test";
import {
  isBeyondReading,
  linesOf,
  parseLeniently,
  readMessages,
} from "../../../scripts/fuzz/reading.ts";

const read = (text: string) => readMessages(Buffer.from(text));

const kinds = (text: string): string[] => read(text).map(({ kind }) => kind);

test("requests, notifications and answers are told apart", () => {
  expect(kinds('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toEqual(["request"]);
  expect(kinds('{"jsonrpc":"2.0","id":null,"method":"ping"}')).toEqual(["notification"]);
  expect(kinds('{"jsonrpc":"2.0","id":"1","result":{}}')).toEqual(["answer"]);
  expect(kinds('[{"jsonrpc":"2.0","id":1,"error":{}},{"jsonrpc":"2.0","method":"x"}]')).toEqual([
    "answer",
    "notification",
  ]);
});

test("other lines have no message", () => {
  for (const text of ["", "{}", "x", '{"jsonrpc":"1.0","id":1,"method":"m"}', "null", "[]"]) {
    expect(read(text)).toEqual([]);
  }
  expect(read('{"jsonrpc":"2.0","id":{},"method":"m"}')).toEqual([]);
  expect(read('{"jsonrpc":"2.0","id":null,"result":{}}')).toEqual([]);
});

test("a byte order mark and numbers that JSON does not have are read", () => {
  expect(read('\uFEFF{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}')[0]?.result).toEqual({ n: null });
  expect(parseLeniently('{"a":-Infinity,"b":"NaN \\" NaN"}')).toEqual({ a: null, b: 'NaN " NaN' });
  expect(parseLeniently("{NaN")).toBeUndefined();
  const long = "x".repeat(9_000_000);
  expect(parseLeniently(`{"long":"${long}","n":NaN}`)).toEqual({ long, n: null });
});

test("lines keep their newline, and the last one may have none", () => {
  expect(linesOf(Buffer.from("a\nb\r\n\nc")).map(String)).toEqual(["a\n", "b\r\n", "\n", "c"]);
});

const nested = (levels: number): Buffer => Buffer.from("[".repeat(levels) + "]".repeat(levels));

test("only lines that are too deep or too long are beyond reading", () => {
  expect(isBeyondReading(nested(256))).toBe(false);
  expect(isBeyondReading(nested(257))).toBe(true);
  expect(isBeyondReading(Buffer.from(`"${"[".repeat(300)}\\"["`))).toBe(false);
  expect(isBeyondReading(Buffer.alloc(8 * 1024 * 1024 + 1, " "))).toBe(true);
});
