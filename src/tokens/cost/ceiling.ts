import { collectBlocks, countParts, priceEmptyList, boundMediaPrice } from "./price.ts";
import type { Part } from "./client-profiles/block.ts";
import type { Reader } from "./exact-prices.ts";

export type Readings = readonly (readonly Part[])[];

// Per block, the readings that a model may get; the most expensive one is the upper bound.
// Only one reading where the client's rules are known.
export type Ceiling = readonly Readings[];

/** Counts no text: uses the estimator's bound per byte and the prices of media. */
export function boundCeiling(ceiling: Ceiling, reader: Reader): number {
  return sumBy(ceiling, (readings) => maxBy(readings, (parts) => boundParts(parts, reader)));
}

export function countCeiling(ceiling: Ceiling, reader: Reader, enough = Infinity): number {
  let tokens = 0;
  for (const readings of ceiling) {
    tokens += countMost(readings, reader, enough - tokens);
    if (tokens > enough) break;
  }
  return tokens;
}

export function countCeilingCharacters(ceiling: Ceiling): number {
  return sumBy(ceiling, (readings) =>
    maxBy(readings, (parts) =>
      sumBy(parts, (part) => (part.kind === "text" ? part.text.length : 0)),
    ),
  );
}

function countMost(readings: Readings, reader: Reader, enough: number): number {
  let most = 0;
  for (const parts of readings) {
    if (most > enough) break;
    if (readings.length > 1 && boundParts(parts, reader) <= most) continue;
    const tokens =
      priceEmptyList(parts, reader) + countParts(parts, reader, enough, boundMediaPrice);
    most = Math.max(most, tokens);
  }
  return most;
}

function boundParts(parts: readonly Part[], reader: Reader): number {
  const { estimator } = reader;
  const pricedBlocks = estimator.content ? collectBlocks(parts) : new Set();
  let most =
    pricedBlocks.size > 0
      ? (estimator.content?.([...pricedBlocks]) ?? 0)
      : priceEmptyList(parts, reader);
  for (const part of parts) {
    if (pricedBlocks.has(part.block)) continue;
    most +=
      part.kind === "text"
        ? Math.ceil(Buffer.byteLength(part.text) * estimator.tokensPerTextByteMax)
        : boundMediaPrice(part, reader);
  }
  return most;
}

function sumBy<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}

function maxBy<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((most, item) => Math.max(most, amount(item)), 0);
}
