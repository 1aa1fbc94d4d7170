import { backslash, doubleQuote } from "#kit/text/ascii.ts";
import { tryParseJson } from "#kit/errors.ts";

// A JSON value in a line of a log, not parsed yet. The next read of any log may overwrite the value's bytes.
export class RawJson {
  readonly #bytes: Buffer;
  readonly #from: number;
  readonly #to: number;

  constructor(bytes: Buffer, from: number, to: number) {
    this.#bytes = bytes;
    this.#from = from;
    this.#to = to;
  }

  parse(): unknown {
    return tryParseJson(this.#bytes.toString("utf8", this.#from, this.#to));
  }

  // The next read of any log, or the next `readText` of any RawJson, may overwrite the result.
  // Undefined for a bad escape, or for a value that is not a string.
  readText(): Buffer | undefined {
    if (this.#bytes[this.#from] !== doubleQuote) return undefined;
    const text = this.#bytes.subarray(this.#from + 1, this.#to - 1);
    return text.indexOf(backslash) < 0 ? text : unescapeText(text);
  }
}

// All texts share this buffer, because allocating one would take longer than unescaping most texts.
let unescaped = Buffer.alloc(64 * 1024);

function unescapeText(text: Buffer): Buffer | undefined {
  if (unescaped.length < text.length) unescaped = Buffer.alloc(2 * text.length);
  const plain = unescaped;
  let length = 0;
  let at = 0;
  while (at < text.length) {
    const byte = text[at] ?? 0;
    if (byte !== backslash) {
      plain[length++] = byte;
      at += 1;
      continue;
    }
    const escaped = escapedBytes[text[at + 1] ?? 0];
    if (escaped !== undefined) {
      plain[length++] = escaped;
      at += 2;
      continue;
    }
    const unicode = unicodeEscapes.exec(text.toString("latin1", at, at + unicodeEscapeBytesMax));
    if (!unicode) return undefined;
    const characters: unknown = JSON.parse(`"${unicode[0]}"`);
    length += plain.write(String(characters), length);
    at += unicode[0].length;
  }
  return plain.subarray(0, length);
}

const unicodeEscapeBytesMax = 12;

// Matches the escape of one character, or the two escapes of a surrogate pair.
const unicodeEscapes = /^\\u(?:d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|[\da-f]{4})/i;

const letterEscapes: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const escapedBytes: readonly (number | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  letterEscapes[String.fromCharCode(byte)]?.charCodeAt(0),
);

export function parseRaw(value: unknown): unknown {
  return value instanceof RawJson ? value.parse() : value;
}
