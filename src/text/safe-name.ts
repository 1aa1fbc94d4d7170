import { escapeUnsafe } from "./unsafe-text.ts";

/**
 * A hostile name made safe to read, for a person and for a model, in at most `charactersMax` characters. Unsafe
 * characters become visible escapes; a name that is cut ends with `…`, and an empty one is `""`.
 */
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
