import { PriceBook, matchPrices, completePrices } from "#records/money/price-book.ts";

export const opus = completePrices({
  input: 5,
  output: 25,
  cacheRead: 0.5,
  cacheWrite5m: 6.25,
  cacheWrite1h: 10,
});

export function madePrices(): PriceBook {
  const source = matchPrices([
    { pattern: "opus", prices: opus },
    { pattern: "flat", prices: completePrices({ input: 1, output: 2 }) },
  ]);
  return new PriceBook("made, 2026-11-22", [source]);
}
