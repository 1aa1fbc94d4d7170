import { expect, test } from "bun:test";
import { Capture, skimTextBytesMax } from "#wire/skimmer.ts";
import { bytesOf } from "../support/bytes.ts";

function captured(...texts: readonly string[]): string | undefined {
  const capture = new Capture();
  for (const text of texts) capture.add(bytesOf(text), 0, bytesOf(text).length);
  return capture.text;
}

test("a text is joined over chunks, byte for byte", () => {
  expect(captured(" 12", "3 ")).toBe(" 123 ");
  expect(captured()).toBe("");
});

test("a part of a chunk is captured", () => {
  const capture = new Capture();
  capture.add(bytesOf("abcdef"), 2, 4);
  expect(capture.text).toBe("cd");
});

test("a text of the longest size is captured, one byte more is not", () => {
  expect(captured("x".repeat(skimTextBytesMax - 1), "y")).toHaveLength(skimTextBytesMax);
  expect(captured("x".repeat(skimTextBytesMax), "y")).toBeUndefined();
});

test("restart begins anew, also after a text that was too long", () => {
  const capture = new Capture();
  capture.add(bytesOf("x".repeat(skimTextBytesMax + 1)), 0, skimTextBytesMax + 1);
  capture.restart();
  capture.add(bytesOf("7"), 0, 1);
  expect(capture.text).toBe("7");
});

test("white space outside strings is no part of a text, however long it is", () => {
  const capture = new Capture();
  const blanks = " ".repeat(2 * skimTextBytesMax);
  for (const byte of bytesOf(`${blanks}1${blanks}2${blanks}`)) capture.addStructure(byte);
  expect(capture.text).toBe("1 2");
});
