import type { Estimator } from "../cost/estimator.ts";
import { decodePart } from "./parts.ts";

/** A character is one UTF-16 code unit. One division for any text, so that slices and limits are not needed. */
export function byRatio(id: string, charactersPerToken: number, error: string): Estimator {
  const tokens = (characters: number): number => Math.ceil(characters / charactersPerToken);
  return {
    id,
    method: "characters",
    encoding: `characters/${charactersPerToken}`,
    confidence: "low",
    error,
    tokensPerTextByteMax: 1,
    // At most 22 characters for five bytes, of three characters or more to a token.
    tokensPerLineByteMax: 2,
    count: (text) => tokens(text.length),
    parts: { units: (utf8) => decodePart(utf8).length, tokens },
  };
}
