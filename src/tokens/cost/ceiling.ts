import { boundMedia, countEmptyList, countParts, listBlocks } from "./count-parts.ts";
import type { Part } from "./client-profiles/block.ts";
import { countCharacters } from "./client-profiles/common.ts";
import type { Reader } from "./reader.ts";

// The forms in which an unknown client may show a block.
export type Readings = readonly (readonly Part[])[];

// Of each block, the form with the most tokens counts.
export type Ceiling = readonly Readings[];

/** An upper bound, without counting: the bytes of each text times the most tokens that a byte can have. */
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
