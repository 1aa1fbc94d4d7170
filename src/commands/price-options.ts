import type { PriceBook, PriceSource } from "#records/money/price-book.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { flagOption, textOption } from "./values.ts";

export const priceOptionSpecs: OptionSpecs = {
  cost: { describe: "add the cost of calls at list prices, as a range" },
  prices: {
    value: "FILE",
    describe: "with --cost: prices by model, from a JSON file, before those that are built in",
    isPath: true,
  },
};

export type PriceOptions = {
  readonly isCosted: boolean;
  readonly priceFile: string | undefined;
};

export function parsePriceOptions(raw: RawOptions): PriceOptions {
  return { isCosted: flagOption(raw, "cost"), priceFile: textOption(raw, "prices") };
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
  named: PriceSource | undefined,
): Promise<PriceBook | undefined> {
  if (!isCosted) return undefined;
  const { PriceBook } = await import("#records/money/price-book.ts");
  const { listedPrices, listedPricesOrigin } = await import("#records/money/listed-prices.ts");
  if (!named) return new PriceBook(listedPricesOrigin, [listedPrices]);
  return new PriceBook(`${priceFile}; ${listedPricesOrigin}`, [named, listedPrices]);
}
