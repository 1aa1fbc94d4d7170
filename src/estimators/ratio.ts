import type { Estimator } from "#meter/estimate.ts";

/**
 * ⌈characters / ratio⌉, where a character is one UTF-16 unit as in `String.length`.
 * One division whatever the text, so slices and limits need nothing of their own.
 */
export function byRatio(id: string, charactersPerToken: number, error: string): Estimator {
  return {
    id,
    method: "characters",
    encoding: `characters/${charactersPerToken}`,
    confidence: "low",
    error,
    tokensPerByteMax: 1,
    count: (text) => Math.ceil(text.length / charactersPerToken),
  };
}
