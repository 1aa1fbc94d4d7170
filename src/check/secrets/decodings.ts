import { escapeSlashesMax, percentLevelsMax } from "#limits/definitions.ts";
import { type Decoding, entitiesAt } from "./entities.ts";

/**
 * Every way to read a text from `at` on: its next character itself, and the character that an escape there stands for.
 * Escapes are those of JSON, as deep as JSON is quoted in JSON, of URLs, encoded up to three times, of forms, of JSON
 * inside a URL, of HTML, also inside these, and of quotes in a shell, SQL and CSV. The number of decodings, and of characters
 * that are examined, is bounded.
 */
export function decodingsAt(text: string, at: number): readonly Decoding[] {
  const units = text.charAt(at);
  const itself = { units, length: 1 };
  switch (units) {
    case "+":
      return [itself, { units: " ", length: 1 }];
    case "%":
      return withEntities(text, at, [
        itself,
        ...percentDecodings(text, at),
        ...slashDecodings(text, at),
      ]);
    case "\\":
      return withEntities(text, at, [itself, ...slashDecodings(text, at)]);
    case "&":
      return withEntities(text, at, [itself]);
    case "'":
    case '"':
      return [itself, ...quoteDecodings(text, at, units)];
    default:
      return [itself];
  }
}

/** Characters that an escape may begin with. */
const beginnings: ReadonlySet<string> = new Set(["\\", "%", "+", "&", "'", '"']);

/** True for a character that an escape may begin with; any other has one decoding. */
export function mayEscape(unit: string): boolean {
  return beginnings.has(unit);
}

/** The decodings, and the entities that those of an ampersand begin: Go and .NET write `&lt;` as `\\u0026lt;` in JSON. */
function withEntities(
  text: string,
  at: number,
  decodings: readonly Decoding[],
): readonly Decoding[] {
  const entities = decodings
    .filter(({ units }) => units === "&")
    .flatMap(({ length }) =>
      entitiesAt(text, at + length).map((one) => ({ ...one, length: length + one.length })),
    );
  return entities.length === 0 ? decodings : [...decodings, ...entities];
}

/** A quote inside quotes: of SQL and CSV, of a POSIX shell, and as Python writes it for one. */
const quoted: { readonly [quote: string]: readonly string[] } = {
  "'": ["''", "'\\''", `'"'"'`],
  '"': ['""'],
};

function quoteDecodings(text: string, at: number, units: string): readonly Decoding[] {
  const forms = quoted[units] ?? [];
  return forms.filter((form) => text.startsWith(form, at)).map(({ length }) => ({ units, length }));
}

const percentLevels = [...Array(percentLevelsMax).keys()];

/** `%2F`, `%252F` and `%25252F`, of as many bytes as a character has in UTF-8. */
function percentDecodings(text: string, at: number): readonly Decoding[] {
  return percentLevels.flatMap(
    (level) => percentDecoding(text, at, level) ?? latinDecoding(text, at, level),
  );
}

/** `%E9`, as programs write `é` that encode in Latin-1. */
function latinDecoding(text: string, at: number, level: number): readonly Decoding[] {
  const byte = byteAt(text, at, level) ?? 0;
  return byte < 0xa0 ? [] : [{ units: String.fromCharCode(byte), length: 3 + 2 * level }];
}

function percentDecoding(text: string, at: number, level: number): Decoding | undefined {
  const first = byteAt(text, at, level);
  const following = first === undefined ? undefined : bytesAfter(first);
  if (first === undefined || following === undefined) return undefined;
  const size = 3 + 2 * level;
  let point = following === 0 ? first : first & (0x3f >> following);
  for (let nth = 1; nth <= following; nth += 1) {
    const byte = byteAt(text, at + nth * size, level);
    if (byte === undefined || (byte & 0xc0) !== 0x80) return undefined;
    point = point * 64 + (byte & 0x3f);
  }
  if (point > 0x10_ffff) return undefined;
  return { units: String.fromCodePoint(point), length: size * (following + 1) };
}

/** Bytes that follow the first one of a character in UTF-8; undefined when none begins with it. */
function bytesAfter(first: number): number | undefined {
  if (first < 0x80) return 0;
  if (first < 0xc0 || first >= 0xf8) return undefined;
  if (first < 0xe0) return 1;
  return first < 0xf0 ? 2 : 3;
}

function byteAt(text: string, at: number, level: number): number | undefined {
  if (!text.startsWith(`%${"25".repeat(level)}`, at)) return undefined;
  return hexAt(text, at + 1 + 2 * level, 2);
}

function hexAt(text: string, at: number, digits: number): number | undefined {
  const hex = text.slice(at, at + digits);
  return hex.length === digits && /^[0-9A-Fa-f]+$/.test(hex) ? Number.parseInt(hex, 16) : undefined;
}

const letters: { readonly [letter: string]: string } = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Characters that a backslash stands before in a shell, in Markdown, in a regular expression and in JSON. */
const punctuation = /^[ !-/:-@[\]-`{-~]$/;

/** A backslash that is doubled once or more, and an escape after any number of backslashes. */
function slashDecodings(text: string, at: number): readonly Decoding[] {
  const decodings: Decoding[] = [];
  let end = at;
  for (let slashes = 1; slashes <= escapeSlashesMax; slashes += 1) {
    const size = slashSize(text, end);
    if (size === 0) return decodings;
    end += size;
    const isDoubled = slashes > 1 && (slashes & (slashes - 1)) === 0;
    if (isDoubled) decodings.push({ units: "\\", length: end - at });
    const escaped = escapedAt(text, end);
    if (escaped) decodings.push({ units: escaped.units, length: end - at + escaped.length });
    // The percent sign itself, besides the byte that it begins.
    if (text.charAt(end) === "%") decodings.push({ units: "%", length: end - at + 1 });
  }
  return decodings;
}

/** Characters of one backslash here, which a URL escapes; 0 when there is none. */
function slashSize(text: string, at: number): number {
  if (text.charAt(at) === "\\") return 1;
  return byteAt(text, at, 0) === 0x5c ? 3 : 0;
}

/** The part of an escape that follows its backslashes. */
function escapedAt(text: string, at: number): Decoding | undefined {
  const byte = byteAt(text, at, 0);
  const letter = byte === undefined ? text.charAt(at) : String.fromCharCode(byte);
  const digits = digitsAfter[letter];
  if (digits !== undefined) {
    const code = hexAt(text, at + 1, digits);
    return code === undefined
      ? undefined
      : { units: String.fromCharCode(code), length: 1 + digits };
  }
  const special = Object.hasOwn(letters, letter) ? letters[letter] : undefined;
  const units = special ?? (punctuation.test(letter) ? letter : undefined);
  return units === undefined ? undefined : { units, length: byte === undefined ? 1 : 3 };
}

/** Hexadecimal digits of `\u00e4`, and of `\xe4` as Python writes it. */
const digitsAfter: { readonly [letter: string]: number | undefined } = { u: 4, x: 2 };
