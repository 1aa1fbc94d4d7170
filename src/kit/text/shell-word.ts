import { escapeUnsafe } from "./unsafe-text.ts";

export function quoteShellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${escapeUnsafe(text).replaceAll("'", `'\\''`)}'`;
}
