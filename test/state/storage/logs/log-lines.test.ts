import { expect, test } from "bun:test";
import { LogLines } from "#state/storage/logs/read-log.ts";

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

function linesOf(chunks: readonly string[], bytesMax = 8): unknown[] {
  const found: unknown[] = [];
  const lines = new LogLines((line) => found.push(text(line)), bytesMax);
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    lines.push(bytes);
    bytes.fill(0);
  }
  const last = text(lines.end());
  return [...found, last, lines.tooLong];
}

test("lines are the same in any chunks, and empty ones are left out", () => {
  const whole = "\none\n\n\ntwo\nthree";
  const expected = ["one", "two", "three", 0];
  expect(linesOf([whole])).toEqual(expected);
  expect(linesOf([...whole])).toEqual(expected);
  expect(linesOf(["one\n"])).toEqual(["one", "", 0]);
});

test("a line of the limit is taken, a longer one is counted", () => {
  for (const cut of [1, 5, 9]) {
    expect(linesOf(["12345678\nx".slice(0, cut), "12345678\nx".slice(cut)])).toEqual([
      "12345678",
      "x",
      0,
    ]);
    expect(linesOf(["123456789\nx".slice(0, cut), "123456789\nx".slice(cut)])).toEqual(["x", 1]);
  }
  expect(linesOf(["12345", "6789"])).toEqual([undefined, 1]);
});
