import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { pieceEndCl100k } from "#tokenizer/cl100k.ts";
import { needsMore, Scan } from "#tokenizer/scan.ts";
import { vocabulary } from "./support/oracle.ts";
import { anyText, mixedText, runText } from "./support/texts.ts";
import { utf8 } from "./support/utf8.ts";

const view = await vocabulary("cl100k_base");

function piecesOf(text: string): string[] {
  const whole = utf8(text);
  const pieces: string[] = [];
  for (let at = 0; at < whole.end;) {
    const end = pieceEndCl100k(whole, at, new Scan(view));
    pieces.push(
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole.bytes.subarray(at, end)),
    );
    at = end;
  }
  return pieces;
}

test.each([
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
])("pieceEndCl100k cuts %j", (text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces);
});

test("pieceEndCl100k asks for more rather than cut a piece short", () => {
  fc.assert(
    fc.property(fc.oneof(mixedText, anyText, runText), fc.nat(), (text, share) => {
      const whole = utf8(text.toWellFormed());
      let end = whole.end === 0 ? 0 : share % whole.end;
      while (((whole.bytes[end] ?? 0) & 0xc0) === 0x80) end--;
      const part = { ...whole, end, isFinal: false };
      for (let at = 0; at < end;) {
        const pieceEnd = pieceEndCl100k(part, at, new Scan(view));
        if (pieceEnd === needsMore) break;
        expect(pieceEnd).toBe(pieceEndCl100k(whole, at, new Scan(view)));
        at = pieceEnd;
      }
    }),
    { numRuns: 2000 },
  );
});
