// ASCII codes that framing and JSON give a meaning to; the same as UTF-8 bytes and as UTF-16 code units.

/** White space of JSON. */
const tab = 0x09;
/** Ends every line on a stdio transport; no other byte does. */
export const newline = 0x0a;
/** White space of JSON. */
export const carriageReturn = 0x0d;
/** White space of JSON. */
export const space = 0x20;

/** Delimits strings. */
export const quote = 0x22;
/** Escapes the next character of a string. */
export const backslash = 0x5c;

/** Separates elements and members. */
export const comma = 0x2c;
/** Separates a key from its value. */
export const colon = 0x3a;
/** Begins an array. */
export const openBracket = 0x5b;
/** Ends an array. */
export const closeBracket = 0x5d;
/** Begins an object. */
export const openBrace = 0x7b;
/** Ends an object. */
export const closeBrace = 0x7d;

/** True for the four characters that JSON allows between its tokens. */
export function isJsonSpace(code: number): boolean {
  return code === space || code === newline || code === carriageReturn || code === tab;
}

/** True for `0`–`9`, `A`–`Z` and `a`–`z`. */
export function isAlphanumeric(code: number): boolean {
  const lowerCase = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lowerCase >= 0x61 && lowerCase <= 0x7a);
}
