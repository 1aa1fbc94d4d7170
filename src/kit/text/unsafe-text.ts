/** Can hide or move text, or is not a character: controls, format marks, zero-width and ignorable ones, separators, private use, lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const unsafeInLines = new RegExp(`(?!\\n)${unsafe.source}`, "gu");

export function escapeUnsafe(text: string): string {
  return text.replaceAll(unsafe, escaped);
}

/** Letters of two alphabets in one word, or of a font: `\u0430dmin` begins with a Cyrillic letter. */
export function escapeLookalikes(text: string): string {
  return text
    .replaceAll(/[\p{L}\p{M}\p{N}_-]+/gu, (word) =>
      /[A-Za-z]/.test(word)
        ? word.replaceAll(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}]/gu, escaped)
        : word,
    )
    .replaceAll(/(?![ -~])\p{L}/gu, (letter) =>
      /^[A-Za-z]$/.test(letter.normalize("NFKC")) ? escaped(letter) : letter,
    );
}

function escaped(found: string): string {
  return [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}

export function safeJson(value: unknown, indent?: number): string {
  // In JSON, raw newlines occur only as indentation. A text without anything unsafe is not copied: it may have many megabytes.
  return JSON.stringify(value, undefined, indent).replaceAll(unsafeInLines, escaped);
}

/** For a person and for a model. Unsafe characters become visible escapes; a cut name ends with `…`, and an empty one is `""`. */
export function safeName(rawName: string, charactersMax: number): string {
  if (rawName === "") return '""';
  let safe = "";
  let cut = "";
  for (const character of rawName) {
    safe += escapeUnsafe(character);
    if (safe.length > charactersMax) return `${cut}…`;
    if (safe.length < charactersMax) cut = safe;
  }
  return safe;
}

export type Clean = (text: string) => string;

export const cleanNothing: Clean = (text) => text;

/** Cleans again at last, because a secret may be broken over two lines. */
export function inOneLine(text: string, clean: Clean = cleanNothing): string {
  return clean(clean(text).replaceAll(/\s+/g, " ")).trim();
}
