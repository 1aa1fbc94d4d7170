import type { TokenPrices } from "#records/money/price-book.ts";
import { isObject, readMember } from "#wire/json.ts";
import { join } from "node:path";
import { readCacheFile, writeCacheFile } from "./cache-file.ts";

// A conversation of a month with some models.
export const cachedPricesMax = 200;

const cacheBytesMax = 256 * 1024;

const priceFormat = "list-prices/1";

/** By model and day; null for a model without a price. */
export type CachedPrices = Map<string, TokenPrices | null>;

// `version` differs in each build: prices of other builds are not used.
export function readCachedPrices(state: string, version: string): CachedPrices {
  const value = readCacheFile(locate(state), cacheBytesMax);
  const prices = readMember(value, "prices");
  const isUsable = readMember(value, "format") === priceFormat && isObject(prices);
  if (!isUsable || readMember(value, "version") !== version) return new Map();
  const entries = Object.entries(prices).slice(-cachedPricesMax);
  return new Map(entries.flatMap(([key, found]) => (isPrices(found) ? [[key, found]] : [])));
}

export function writeCachedPrices(state: string, version: string, prices: CachedPrices): void {
  const newest = Object.fromEntries([...prices].slice(-cachedPricesMax));
  writeCacheFile(locate(state), { format: priceFormat, version, prices: newest });
}

function locate(state: string): string {
  return join(state, "list-prices.json");
}

const members = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;

function isPrices(value: unknown): value is TokenPrices | null {
  return value === null || members.every((member) => isAmount(readMember(value, member)));
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
