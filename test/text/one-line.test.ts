import { expect, test } from "bun:test";
import { inOneLine } from "#text/one-line.ts";

const hide = (text: string): string => text.replaceAll("a b", "S").replaceAll("c\nd", "T");

test("inOneLine removes a secret that is broken over two lines, and one that has two", () => {
  expect(inOneLine(" a\n b, c\nd\n", hide)).toBe("S, T");
});

test("inOneLine shows a text that is not to be cleaned", () => {
  expect(inOneLine("\ta\r\n  b ")).toBe("a b");
});
