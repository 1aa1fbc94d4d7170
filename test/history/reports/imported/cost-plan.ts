import { PriceBook, completePrices } from "#records/money/price-book.ts";
import type { MeterRecord } from "#records/record.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import { KnownDefinitions } from "#history/reports/imported/imported-history.ts";
import { TimeZone } from "#history/reports/calendar.ts";

const allTime = { fromMs: -Infinity, toMs: Infinity };

const opus = completePrices({ input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25 });

export const opusPrices = new PriceBook("test", [
  (model) => (model === "claude-opus-4-8" ? opus : undefined),
]);

export function knownFrom(wire: readonly MeterRecord[] = []): KnownDefinitions {
  const cube = new Cube({ ranges: [allTime], zone: new TimeZone("UTC") });
  for (const record of wire) cube.add(record);
  return new KnownDefinitions(cube.listDefinitions());
}
