import { estimateAudio, boundAudio } from "./media/audio.ts";
import type { MediaEstimate } from "./estimator.ts";
import { estimateImage, boundImage } from "./media/image.ts";
import type { MediaPart, Part } from "./client-profiles/block.ts";
import { countCharacters } from "./client-profiles/common.ts";
import type { Reader } from "./reader.ts";

export function estimateMedia(media: MediaPart, { family }: Reader): MediaEstimate {
  return media.kind === "image"
    ? estimateImage(family.image, media.size)
    : estimateAudio(family.audioTokensPerSecond, media);
}

export function boundMedia(media: MediaPart, { family }: Reader): number {
  return media.kind === "image"
    ? boundImage(family.image, media.size)
    : boundAudio(family.audioTokensPerSecond, media);
}

export function listBlocks(parts: readonly Part[]): Set<unknown> {
  return new Set(parts.map(({ block }) => block).filter((block) => block !== undefined));
}

// An estimator that counts whole content arrays counts a few tokens even for an empty one.
export function countEmptyList(parts: readonly Part[], { estimator }: Reader): number {
  return parts.length === 0 ? (estimator.countContent?.([]) ?? 0) : 0;
}

/** Stops early once the count exceeds `tokensMax`. The result is then above `tokensMax`, but may be inexact. */
export function countTexts(texts: readonly string[], reader: Reader, tokensMax = Infinity): number {
  let tokens = 0;
  for (const text of texts) {
    tokens += countText(text, reader, tokensMax - tokens);
    if (tokens > tokensMax) break;
  }
  return tokens;
}

export function countParts(
  parts: readonly Part[],
  reader: Reader,
  tokensMax = Infinity,
  countMedia: typeof boundMedia = (media) => estimateMedia(media, reader).tokens,
): number {
  const { estimator } = reader;
  const blocks = estimator.countContent ? listBlocks(parts) : new Set();
  let tokens = blocks.size > 0 ? (estimator.countContent?.([...blocks]) ?? 0) : 0;
  for (const part of parts) {
    if (tokens > tokensMax) break;
    if (blocks.has(part.block)) continue;
    tokens +=
      part.kind === "text"
        ? countText(part.text, reader, tokensMax - tokens)
        : countMedia(part, reader);
  }
  return tokens;
}

function countText(text: string, { estimator }: Reader, tokensMax: number): number {
  if (tokensMax === Infinity || !estimator.countWithin) return estimator.count(text);
  return estimator.countWithin(text, Math.max(0, tokensMax)) ?? tokensMax + 1;
}

// The forms in which an unknown client may show a block.
export type Readings = readonly (readonly Part[])[];

// The readings of every block. Only the costliest reading of each block is included in a count.
export type Ceiling = readonly Readings[];

/** An upper bound that needs no tokenizer: the bytes of each text times the most tokens that a byte can have. */
export function boundCeiling(ceiling: Ceiling, reader: Reader): number {
  return sumBy(ceiling, (readings) => maxBy(readings, (parts) => boundParts(parts, reader)));
}

export function countCeiling(ceiling: Ceiling, reader: Reader, tokensMax = Infinity): number {
  let tokens = 0;
  for (const readings of ceiling) {
    tokens += countCostliest(readings, reader, tokensMax - tokens);
    if (tokens > tokensMax) break;
  }
  return tokens;
}

export function countCeilingCharacters(ceiling: Ceiling): number {
  return sumBy(ceiling, (readings) => maxBy(readings, countCharacters));
}

function countCostliest(readings: Readings, reader: Reader, tokensMax: number): number {
  let most = 0;
  for (const parts of readings) {
    if (most > tokensMax) break;
    if (readings.length > 1 && boundParts(parts, reader) <= most) continue;
    const tokens = countEmptyList(parts, reader) + countParts(parts, reader, tokensMax, boundMedia);
    most = Math.max(most, tokens);
  }
  return most;
}

function boundParts(parts: readonly Part[], reader: Reader): number {
  const { estimator } = reader;
  const blocks = estimator.countContent ? listBlocks(parts) : new Set();
  let most =
    blocks.size > 0 ? (estimator.countContent?.([...blocks]) ?? 0) : countEmptyList(parts, reader);
  for (const part of parts) {
    if (blocks.has(part.block)) continue;
    most +=
      part.kind === "text"
        ? Math.ceil(Buffer.byteLength(part.text) * estimator.tokensPerTextByteMax)
        : boundMedia(part, reader);
  }
  return most;
}

function sumBy<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}

function maxBy<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((most, item) => Math.max(most, count(item)), 0);
}
