import { decodePart } from "./parts.ts";
import type { Estimator } from "#cost/estimator.ts";

/**
 * ⌈characters / ratio⌉, where a character is one UTF-16 unit as in `String.length`.
 * One division whatever the text, so slices and limits need nothing of their own.
 */
export function byRatio(id: string, charactersPerToken: number, error: string): Estimator {
  const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken);
  return {
    id,
    method: "characters",
    encoding: `characters/${charactersPerToken}`,
    confidence: "low",
    error,
    tokensPerByteMax: 1,
    count: (text) => tokens(text.length),
    parts: { units: (utf8) => decodePart(utf8).length, tokens },
  };
}
