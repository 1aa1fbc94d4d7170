import { audioTokens, mostAudioTokens } from "./media/audio.ts";
import type { Confidence } from "./estimator.ts";
import { imageTokens, mostImageTokens } from "./media/image.ts";
import type { MediaPart, Part } from "./part.ts";
import type { Reader } from "./exact-prices.ts";

export function mediaTokens(
  part: MediaPart,
  { family }: Reader,
): { readonly tokens: number; readonly confidence: Confidence } {
  return part.kind === "image"
    ? imageTokens(family.image, part.size)
    : audioTokens(family.audioTokensPerSecond, part);
}

export function mostMediaTokens(part: MediaPart, { family }: Reader): number {
  return part.kind === "image"
    ? mostImageTokens(family.image, part.size)
    : mostAudioTokens(family.audioTokensPerSecond, part);
}

export function contentBlocks(parts: readonly Part[]): Set<unknown> {
  return new Set(parts.map((part) => part.block).filter((block) => block !== undefined));
}

/** For estimators that price lists as a whole; else 0. */
export function emptyListTokens(parts: readonly Part[], { estimator }: Reader): number {
  return parts.length === 0 ? (estimator.content?.([]) ?? 0) : 0;
}

/** Stops above `enough` and then returns any number above it. */
export function countTexts(texts: readonly string[], reader: Reader, enough = Infinity): number {
  let tokens = 0;
  for (const text of texts) {
    tokens += countText(text, reader, enough - tokens);
    if (tokens > enough) break;
  }
  return tokens;
}

/** Stops above `enough` and then returns any number above it. */
export function countParts(
  parts: readonly Part[],
  reader: Reader,
  enough = Infinity,
  priceMedia: (part: MediaPart, reader: Reader) => number = likelyMediaTokens,
): number {
  const { estimator } = reader;
  const whole = estimator.content ? contentBlocks(parts) : new Set();
  let tokens = whole.size > 0 ? (estimator.content?.([...whole]) ?? 0) : 0;
  for (const part of parts) {
    if (tokens > enough) break;
    if (whole.has(part.block)) continue;
    tokens +=
      part.kind === "text"
        ? countText(part.text, reader, enough - tokens)
        : priceMedia(part, reader);
  }
  return tokens;
}

function likelyMediaTokens(part: MediaPart, reader: Reader): number {
  return mediaTokens(part, reader).tokens;
}

function countText(text: string, { estimator }: Reader, enough: number): number {
  if (enough === Infinity || !estimator.within) return estimator.count(text);
  return estimator.within(text, Math.max(0, enough)) ?? enough + 1;
}
