// Each value is the character's byte in UTF-8 and also its code unit in UTF-16.

const tab = 0x09;
export const newline = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;

export const doubleQuote = 0x22;
export const backslash = 0x5c;

export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

export function isJsonSpace(code: number): boolean {
  return code === space || code === newline || code === carriageReturn || code === tab;
}

export function isAlphanumeric(code: number): boolean {
  const lowerCase = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lowerCase >= 0x61 && lowerCase <= 0x7a);
}
