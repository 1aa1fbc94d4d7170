import { contentBlocks, countParts, emptyListTokens, mostMediaTokens } from "./price.ts";
import type { Part } from "./part.ts";
import type { Reader } from "./exact-prices.ts";

/** How clients show a block or a structure; a model reads it in one of these forms. */
export type Readings = readonly (readonly Part[])[];

/** The most that a model may read of an answer, by block; one reading where the client's rule is known. */
export type Ceiling = readonly Readings[];

/** Upper bound without counting: the estimator's bound for each byte, and the price of media. */
export function boundCeiling(ceiling: Ceiling, reader: Reader): number {
  return sumBy(ceiling, (readings) => maxBy(readings, (parts) => boundParts(parts, reader)));
}

/** Stops above `enough` and then returns any number above it. */
export function countCeiling(ceiling: Ceiling, reader: Reader, enough = Infinity): number {
  let tokens = 0;
  for (const readings of ceiling) {
    tokens += countMost(readings, reader, enough - tokens);
    if (tokens > enough) break;
  }
  return tokens;
}

export function ceilingCharacters(ceiling: Ceiling): number {
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
      emptyListTokens(parts, reader) + countParts(parts, reader, enough, mostMediaTokens);
    most = Math.max(most, tokens);
  }
  return most;
}

function boundParts(parts: readonly Part[], reader: Reader): number {
  const { estimator } = reader;
  const pricedBlocks = estimator.content ? contentBlocks(parts) : new Set();
  let most =
    pricedBlocks.size > 0 ? (estimator.content?.([...pricedBlocks]) ?? 0) : emptyListTokens(parts, reader);
  for (const part of parts) {
    if (pricedBlocks.has(part.block)) continue;
    most +=
      part.kind === "text"
        ? Math.ceil(Buffer.byteLength(part.text) * estimator.tokensPerTextByteMax)
        : mostMediaTokens(part, reader);
  }
  return most;
}

function sumBy<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}

function maxBy<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((most, item) => Math.max(most, amount(item)), 0);
}
