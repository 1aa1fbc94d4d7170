import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { findPieceEndCl100k, findPieceEndO200k } from "#tokens/tokenizer/tokenizer.ts";
import { needsMore, PausedRun } from "#tokens/tokenizer/text-count.ts";
import { vocabulary } from "./support/oracle.ts";
import { anyText, mixedText, runText } from "./support/texts.ts";
import { utf8 } from "./support/utf8.ts";

type Row = readonly [text: string, pieces: readonly string[]];

const o200kRows: readonly Row[] = [
  ["Hello world", ["Hello", " world"]],
  ["camelCase HTTPServer", ["camel", "Case", " HTTPServer"]],
  ["XMLs's ABC's", ["XMLs's", " ABC's"]],
  ["don'T DON'Tx", ["don'T", " DON'T", "x"]],
  ["\u0301abc", ["\u0301abc"]],
  ["\u0301ABC", ["\u0301", "ABC"]],
  ["中AB!", ["中", "AB", "!"]],
  ["中ABc", ["中ABc"]],
  ["中AB中c", ["中AB中c"]],
  ["!中", ["!中"]],
  ["a//\n/b", ["a", "//\n/", "b"]],
  ["12345", ["123", "45"]],
  ["a  \n  b", ["a", "  \n", " ", " b"]],
  ["\tx\t!", ["\tx", "\t", "!"]],
  [" !x", [" !", "x"]],
];

const cl100kRows: readonly Row[] = [
  ["Hello world", ["Hello", " world"]],
  ["camelCase HTTPServer", ["camelCase", " HTTPServer"]],
  ["don'T DON'Tx", ["don", "'T", " DON", "'T", "x"]],
  ["'ſa 'sx", ["'ſ", "a", " '", "sx"]],
  ["\u0301abc", ["\u0301abc"]],
  ["a\u0301b", ["a", "\u0301b"]],
  ["中AB!", ["中AB", "!"]],
  ["a//\n/b", ["a", "//\n", "/b"]],
  ["12345", ["123", "45"]],
  ["a  \n  b", ["a", "  \n", " ", " b"]],
  ["a\n  ", ["a", "\n", "  "]],
];

const patterns = [
  ["o200k_base", findPieceEndO200k, o200kRows],
  ["cl100k_base", findPieceEndCl100k, cl100kRows],
] as const;

describe.each(patterns)("%s", async (encoding, findEnd, rows) => {
  const view = await vocabulary(encoding);

  test.each(rows)("cuts %j", (text, pieces) => {
    const bytes = utf8(text);
    const found: string[] = [];
    for (let at = 0; at < bytes.end;) {
      const end = findEnd(bytes, at, new PausedRun(view));
      found.push(
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.bytes.subarray(at, end)),
      );
      at = end;
    }
    expect(found).toEqual([...pieces]);
  });

  test("asks for more rather than cut a piece short", () => {
    fc.assert(
      fc.property(fc.oneof(mixedText, anyText, runText), fc.nat(), (text, share) => {
        const bytes = utf8(text.toWellFormed());
        let end = bytes.end === 0 ? 0 : share % bytes.end;
        while (((bytes.bytes[end] ?? 0) & 0xc0) === 0x80) end--;
        const prefix = { ...bytes, end, isFinal: false };
        for (let at = 0; at < end;) {
          const next = findEnd(prefix, at, new PausedRun(view));
          if (next === needsMore) break;
          expect(next).toBe(findEnd(bytes, at, new PausedRun(view)));
          at = next;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
