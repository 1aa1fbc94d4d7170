import { escapeUnsafe } from "./unsafe-text.ts";

/** A text as one word of a POSIX shell, for a command that a person copies. Unsafe characters are visible escapes. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${escapeUnsafe(text).replaceAll("'", `'\\''`)}'`;
}
