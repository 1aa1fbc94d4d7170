/**
 * Characters that can hide or move text on a screen, and code points without a character: controls,
 * bidirectional and other format marks, zero-width and ignorable characters, line separators, private
 * use, lone surrogates.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The same without newlines. */
const unsafeInLines = new RegExp(`(?!\\n)${unsafe.source}`, "gu");

/** The text with every unsafe character as a visible escape in JSON's notation, such as `\u202e`. */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(unsafe, escaped);
}

/** One escape per UTF-16 code unit, as in JSON. */
function escaped(found: string): string {
  return [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}

/** JSON of the value that is safe on a screen: unsafe characters inside its strings are escaped. */
export function safeJson(value: unknown, indent?: number): string {
  // In JSON, raw newlines occur only as indentation. A text without anything unsafe is not copied: it may have many megabytes.
  return JSON.stringify(value, undefined, indent).replaceAll(unsafeInLines, escaped);
}
