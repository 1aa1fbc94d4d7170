import { expect, test } from "bun:test";
import * as fc from "fast-check";

const pieces = [
  ...'{}[]":,\\.-+eE019 \t\r\n',
  '"a":1,',
  '"method":"x"',
  '"__proto__":{}',
  "true",
  "null",
  "NaN",
  "1e999",
  "12345678901234567890",
  String.raw`\u0065`,
  String.raw`\ud800`,
  "\u2028",
  "\u00a0",
  "\ufeff",
  "\0",
  "é",
  "😀",
];

function parseShortText(text: string): { readonly value: unknown } | undefined {
  const { values, done, error } = Bun.JSONL.parseChunk(text);
  return values.length === 1 && done && error === null ? { value: values[0] } : undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

test("the runtime's parser of lines accepts what JSON.parse accepts, with the same values", () => {
  const broken = fc.array(fc.constantFrom(...pieces), { maxLength: 12 });
  const framed = broken.map((parts) => ["{", ...parts, "}"]);
  const texts = fc.oneof(
    fc.oneof(broken, framed).map((parts) => parts.join("")),
    fc.json(),
    fc.json().map((text) => text.slice(0, -1)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseShortText(text)).toEqual(parse(text));
      expect(parseShortText(`${text}\n`)).toEqual(parse(`${text}\n`));
    }),
    { numRuns: 2_000 },
  );
});
