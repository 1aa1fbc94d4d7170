// Control, invisible and private-use characters, and lone surrogates: they can hide or move text.
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const unsafeInLines = new RegExp(`(?!\\n)${unsafe.source}`, "gu");

export function escapeUnsafe(text: string): string {
  return text.replaceAll(unsafe, escapeCharacters);
}

// For lines that may be indented with tabs.
export function escapeUnsafeExceptTabs(text: string): string {
  return text.split("\t").map(escapeUnsafe).join("\t");
}

// Escapes stylized Latin letters, and letters of similar scripts in a Latin word: `admin` with a Cyrillic `a`
// becomes `\u0430dmin`.
export function escapeLookalikes(text: string): string {
  return text
    .replaceAll(/[\p{L}\p{M}\p{N}_-]+/gu, (word) =>
      /[A-Za-z]/.test(word)
        ? word.replaceAll(/[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}]/gu, escapeCharacters)
        : word,
    )
    .replaceAll(/(?![ -~])\p{L}/gu, (letter) =>
      /^[A-Za-z]$/.test(letter.normalize("NFKC")) ? escapeCharacters(letter) : letter,
    );
}

function escapeCharacters(found: string): string {
  return [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}

export function stringifySafely(value: unknown, indent?: number): string {
  // Newlines stay: JSON has them only before indentation.
  return JSON.stringify(value, undefined, indent).replaceAll(unsafeInLines, escapeCharacters);
}

export function makeSafeName(rawName: string, charactersMax: number): string {
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

export type Redactor = (text: string) => string;

export const keepText: Redactor = (text) => text;

// Cleans again after joining, because a secret may span two lines.
export function joinLines(text: string, clean: Redactor = keepText): string {
  return clean(clean(text).replaceAll(/\s+/g, " ")).trim();
}

export function quoteShellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${escapeUnsafe(text).replaceAll("'", `'\\''`)}'`;
}
