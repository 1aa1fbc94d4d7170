import type { NamedPrices, PriceBook } from "#records/money/price-book.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { readFlag, readText } from "./values.ts";

export const priceOptionSpecs: OptionSpecs = {
  cost: { describe: "add the cost of calls at list prices, as a range" },
  prices: {
    value: "FILE",
    describe:
      "with --cost or a budget in money: prices by model and of paid tools from a JSON file, which override the built-in ones",
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
}: PriceOptions): Promise<NamedPrices | undefined> {
  if (!isCosted || priceFile === undefined) return undefined;
  const { readPriceFile } = await import("#state/storage/price-file.ts");
  return readPriceFile(priceFile);
}

export async function openPrices(
  { isCosted, priceFile }: PriceOptions,
  namedPrices: NamedPrices | undefined,
): Promise<PriceBook | undefined> {
  if (!isCosted) return undefined;
  const { PriceBook } = await import("#records/money/price-book.ts");
  const { findListedPrices, listedPricesOrigin } = await import("#records/money/listed-prices.ts");
  if (!namedPrices) return new PriceBook(listedPricesOrigin, [findListedPrices]);
  const { models, tools } = namedPrices;
  const sources = [models, findListedPrices];
  return new PriceBook(`${priceFile}; ${listedPricesOrigin}`, sources, tools);
}
