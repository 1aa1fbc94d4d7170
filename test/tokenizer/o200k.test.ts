import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { pieceEndO200k } from "#tokenizer/o200k.ts";
import { needsMore, Scan } from "#tokenizer/scan.ts";
import { vocabulary } from "./support/oracle.ts";
import { anyText, mixedText, runText } from "./support/texts.ts";
import { utf8 } from "./support/utf8.ts";

const view = await vocabulary("o200k_base");

function piecesOf(text: string): string[] {
  const whole = utf8(text);
  const pieces: string[] = [];
  for (let at = 0; at < whole.end;) {
    const end = pieceEndO200k(whole, at, new Scan(view));
    pieces.push(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole.bytes.subarray(at, end)),
    );
    at = end;
  }
  return pieces;
}

test.each([
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
])("pieceEndO200k cuts %j", (text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces);
});

test("pieceEndO200k asks for more rather than cut a piece short", () => {
  fc.assert(
    fc.property(fc.oneof(mixedText, anyText, runText), fc.nat(), (text, share) => {
      const whole = utf8(text.toWellFormed());
      let end = whole.end === 0 ? 0 : share % whole.end;
      while (((whole.bytes[end] ?? 0) & 0xc0) === 0x80) end--;
      const part = { ...whole, end, isFinal: false };
      for (let at = 0; at < end;) {
        const pieceEnd = pieceEndO200k(part, at, new Scan(view));
        if (pieceEnd === needsMore) break;
        expect(pieceEnd).toBe(pieceEndO200k(whole, at, new Scan(view)));
        at = pieceEnd;
      }
    }),
    { numRuns: 2000 },
  );
});
