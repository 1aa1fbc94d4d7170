import type { PriceBook, PriceSource } from "#records/money/price-book.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { parseOption, readFlag, readText } from "./values.ts";
import type { Retention } from "#state/storage/prune/choose-files.ts";
import { parseAge, parseByteSize } from "#kit/text/numbers.ts";

export const priceOptionSpecs: OptionSpecs = {
  cost: { describe: "add the cost of calls at list prices, as a range" },
  prices: {
    value: "FILE",
    describe: "with --cost: prices by model from a JSON file, which override the built-in ones",
    isPath: true,
  },
};

export type PriceOptions = {
  readonly isCosted: boolean;
  readonly priceFile: string | undefined;
};

export function parsePriceOptions(raw: RawOptions): PriceOptions {
  return { isCosted: readFlag(raw, "cost"), priceFile: readText(raw, "prices") };
}

export async function readNamedPrices({
  isCosted,
  priceFile,
}: PriceOptions): Promise<PriceSource | undefined> {
  if (!isCosted || priceFile === undefined) return undefined;
  const { readPriceFile } = await import("#state/storage/price-file.ts");
  return readPriceFile(priceFile);
}

export async function openPrices(
  { isCosted, priceFile }: PriceOptions,
  namedPrices: PriceSource | undefined,
): Promise<PriceBook | undefined> {
  if (!isCosted) return undefined;
  const { PriceBook } = await import("#records/money/price-book.ts");
  const { findListedPrices, listedPricesOrigin } = await import("#records/money/listed-prices.ts");
  if (!namedPrices) return new PriceBook(listedPricesOrigin, [findListedPrices]);
  return new PriceBook(`${priceFile}; ${listedPricesOrigin}`, [namedPrices, findListedPrices]);
}

export function parseRetention(
  options: RawOptions,
  { age, size }: { readonly age: string; readonly size: string },
): Retention {
  return {
    olderThanMs: parseLimit(
      options,
      age,
      parsePositiveAge,
      "an age such as 24h, 90d or 4w, or off",
    ),
    keepBytes: parseLimit(options, size, parseByteSize, "a size such as 500M or 1.5G, or off"),
  };
}

// Someone who writes 6m may mean months.
function parsePositiveAge(text: string): number | undefined {
  const ms = text.endsWith("m") ? undefined : parseAge(text);
  return ms === 0 ? undefined : ms;
}

function parseLimit(
  options: RawOptions,
  name: string,
  parse: (text: string) => number | undefined,
  wanted: string,
): number | undefined {
  return readText(options, name) === "off" ? undefined : parseOption(options, name, parse, wanted);
}

export function isLimited({ olderThanMs, keepBytes }: Retention): boolean {
  return olderThanMs !== undefined || keepBytes !== undefined;
}
