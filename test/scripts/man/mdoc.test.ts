import { describe, expect, test } from "bun:test";
import { mdocArgument, mdocList, mdocText, sentence } from "../../../scripts/man/mdoc.ts";

describe("mdocText", () => {
  test.each([
    ["--log - \\n", "\\-\\-log \\- \\en"],
    [".Sh NAME\n'quote", "\\&.Sh NAME\n\\&'quote"],
    ["a [args…] é", "a [args...] \\[u00E9]"],
  ])("escapes %j", (text, escaped) => {
    expect(mdocText(text)).toBe(escaped);
  });
});

describe("mdocArgument", () => {
  test.each([
    ["FILE", "\\&FILE"],
    ["No", "\\&No"],
    ['two "words"', '"\\&two \\(dqwords\\(dq"'],
    ["-", "\\&\\-"],
  ])("makes one argument of %j", (text, argument) => {
    expect(mdocArgument(text)).toBe(argument);
  });
});

test("mdocList has a term and a sentence for each row", () => {
  expect(mdocList([["Fl o", "write to a file"]])).toBe(
    ".Bl -tag -width Ds\n.It Fl o\nWrite to a file.\n.El",
  );
});

test("sentence begins with a capital and ends with one period", () => {
  expect(sentence("write it (default: off)")).toBe("Write it (default: off).");
  expect(sentence("Written.")).toBe("Written.");
});
