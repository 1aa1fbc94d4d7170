import { priceAudio, boundAudioPrice } from "./media/audio.ts";
import type { Confidence } from "./estimator.ts";
import { priceImage, boundImagePrice } from "./media/image.ts";
import type { MediaPart, Part } from "./client-profiles/block.ts";
import type { Reader } from "./exact-prices.ts";

export function priceMedia(
  media: MediaPart,
  { family }: Reader,
): { readonly tokens: number; readonly confidence: Confidence } {
  return media.kind === "image"
    ? priceImage(family.image, media.size)
    : priceAudio(family.audioTokensPerSecond, media);
}

export function boundMediaPrice(media: MediaPart, { family }: Reader): number {
  return media.kind === "image"
    ? boundImagePrice(family.image, media.size)
    : boundAudioPrice(family.audioTokensPerSecond, media);
}

export function collectBlocks(parts: readonly Part[]): Set<unknown> {
  return new Set(parts.map(({ block }) => block).filter((block) => block !== undefined));
}

// Only estimators that price whole lists charge for an empty one.
export function priceEmptyList(parts: readonly Part[], { estimator }: Reader): number {
  return parts.length === 0 ? (estimator.content?.([]) ?? 0) : 0;
}

/** Stops once above `enough`, and then returns some number above it. */
export function countTexts(texts: readonly string[], reader: Reader, enough = Infinity): number {
  let tokens = 0;
  for (const text of texts) {
    tokens += countText(text, reader, enough - tokens);
    if (tokens > enough) break;
  }
  return tokens;
}

/** Stops once above `enough`, and then returns some number above it. */
export function countParts(
  parts: readonly Part[],
  reader: Reader,
  enough = Infinity,
  price: (media: MediaPart, reader: Reader) => number = countLikelyMedia,
): number {
  const { estimator } = reader;
  const pricedBlocks = estimator.content ? collectBlocks(parts) : new Set();
  let tokens = pricedBlocks.size > 0 ? (estimator.content?.([...pricedBlocks]) ?? 0) : 0;
  for (const part of parts) {
    if (tokens > enough) break;
    if (pricedBlocks.has(part.block)) continue;
    tokens +=
      part.kind === "text" ? countText(part.text, reader, enough - tokens) : price(part, reader);
  }
  return tokens;
}

function countLikelyMedia(media: MediaPart, reader: Reader): number {
  return priceMedia(media, reader).tokens;
}

function countText(text: string, { estimator }: Reader, enough: number): number {
  if (enough === Infinity || !estimator.within) return estimator.count(text);
  return estimator.within(text, Math.max(0, enough)) ?? enough + 1;
}
