import { escapeUnsafe } from "./unsafe-text.ts";

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
