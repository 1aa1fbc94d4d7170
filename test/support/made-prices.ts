import { PriceBook, pricesByPattern } from "#money/price-book.ts";
import { tokenPrices } from "#money/token-prices.ts";

export const opus = tokenPrices({
  input: 5,
  output: 25,
  cacheRead: 0.5,
  cacheWrite5m: 6.25,
  cacheWrite1h: 10,
});

/** `opus` as a maker lists it: input 5, read 0.5, written for an hour 10, output 25; `flat`: 1 and 2 without caches. */
export function madePrices(): PriceBook {
  const source = pricesByPattern([
    { pattern: "opus", prices: opus },
    { pattern: "flat", prices: tokenPrices({ input: 1, output: 2 }) },
  ]);
  return new PriceBook("made, 2026-11-22", [source]);
}
