import { audioTokens } from "./media/audio.ts";
import type { Confidence } from "./estimation.ts";
import { imageTokens } from "./media/image.ts";
import type { Part } from "./part.ts";
import type { Reader } from "./reader.ts";

/** Tokens of an image or a sound for a reader, and their confidence. */
export function mediaTokens(
  part: Exclude<Part, { kind: "text" }>,
  { family }: Reader,
): { readonly tokens: number; readonly confidence: Confidence } {
  return part.kind === "image"
    ? imageTokens(family.image, part.size)
    : audioTokens(family.audioTokensPerSecond, part);
}

/** The content blocks that the parts come from, each once. */
export function contentBlocks(parts: readonly Part[]): Set<unknown> {
  return new Set(parts.map((part) => part.block).filter((block) => block !== undefined));
}

/** Tokens of an answer without any part, which is an empty list, by estimators that price lists as a whole; else 0. */
export function emptyListTokens(parts: readonly Part[], { estimator }: Reader): number {
  return parts.length === 0 ? (estimator.content?.([]) ?? 0) : 0;
}

/** Tokens of texts. Stops once they exceed `enough`, and then returns any number above it. */
export function countTexts(texts: readonly string[], reader: Reader, enough = Infinity): number {
  let tokens = 0;
  for (const text of texts) {
    tokens += countText(text, reader, enough - tokens);
    if (tokens > enough) break;
  }
  return tokens;
}

/** Tokens of parts. Stops once they exceed `enough`, and then returns any number above it. */
export function countParts(parts: readonly Part[], reader: Reader, enough = Infinity): number {
  const { estimator } = reader;
  const whole = estimator.content ? contentBlocks(parts) : new Set();
  let tokens = whole.size > 0 ? (estimator.content?.([...whole]) ?? 0) : 0;
  for (const part of parts) {
    if (tokens > enough) break;
    if (whole.has(part.block)) continue;
    tokens +=
      part.kind === "text"
        ? countText(part.text, reader, enough - tokens)
        : mediaTokens(part, reader).tokens;
  }
  return tokens;
}

function countText(text: string, { estimator }: Reader, enough: number): number {
  if (enough === Infinity || !estimator.within) return estimator.count(text);
  return estimator.within(text, Math.max(0, enough)) ?? enough + 1;
}
