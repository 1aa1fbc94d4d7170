import { UserError } from "#kit/errors.ts";
import { type Budget, listSpecs, toNanodollars } from "#meter/budgets/budget.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import type { NamedPrices, PriceBook } from "#records/money/price-book.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";
import { runSentences } from "./run/sentences.ts";
import type { ReaderOptions } from "./reader-options.ts";
import { readFlag, readText } from "./option-values.ts";

export const priceOptionSpecs: OptionSpecs = {
  cost: { description: "add the cost of calls at list prices, as a range" },
  prices: {
    value: "FILE",
    description:
      "with --cost or a budget in money: JSON file with prices of models and paid tools; overrides the built-in prices",
    isPath: true,
  },
};

// For commands without --cost.
export const budgetPriceSpecs: OptionSpecs = {
  prices: {
    ...priceOptionSpecs["prices"],
    description:
      "with a budget in money: JSON file with prices of models and paid tools; overrides the built-in prices",
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

type BudgetPricing = Pick<PriceOptions, "priceFile"> & {
  readonly budgets: readonly Budget[];
  readonly reading: Pick<ReaderOptions, "model">;
};

export async function openBudgetPrices({
  budgets,
  reading: { model },
  priceFile,
}: BudgetPricing): Promise<CallPrices | undefined> {
  if (!budgets.some(({ unit }) => unit === "dollars")) return undefined;
  const named = await readNamedPrices({ isCosted: true, priceFile });
  const { callPrices, unpriced } = await findBudgetPrices({ budgets, model }, named);
  if (unpriced.length > 0)
    throw new UserError(runSentences.budgetUnpriced(listSpecs(unpriced), model));
  return callPrices;
}

type PricedBudgets = {
  readonly callPrices: CallPrices;
  readonly unpriced: readonly Budget[];
};

// A budget in money is priced if the model has a price. A budget for a tool or a pattern of tools is also priced if one
// entry of the prices file covers all tools of the budget.
export async function findBudgetPrices(
  {
    budgets,
    model = "",
  }: { readonly budgets: readonly Budget[]; readonly model?: string | undefined },
  named: NamedPrices | undefined,
): Promise<PricedBudgets> {
  const { computeHighestPrices } = await import("#records/money/price-book.ts");
  const book = await openPriceBook(named, "the prices file");
  const prices = book.find(model, new Date().toISOString());
  const unpriced = budgets.filter(
    ({ unit, tool }) =>
      unit === "dollars" && !prices && !(tool !== null && book.hasToolPrices(tool)),
  );
  return {
    callPrices: {
      origin: book.origin,
      ...computeHighestPrices(prices),
      findToolPrice: (tool) => toNanodollars(book.findToolPrice(tool)),
    },
    unpriced,
  };
}

export async function openPrices(
  { isCosted, priceFile }: PriceOptions,
  namedPrices: NamedPrices | undefined,
): Promise<PriceBook | undefined> {
  return isCosted ? openPriceBook(namedPrices, priceFile) : undefined;
}

async function openPriceBook(
  named: NamedPrices | undefined,
  namedOrigin: string | undefined,
): Promise<PriceBook> {
  const { PriceBook } = await import("#records/money/price-book.ts");
  const { findListedPrices, listedPricesOrigin } = await import("#records/money/listed-prices.ts");
  if (!named) return new PriceBook(listedPricesOrigin, [findListedPrices]);
  const { models, tools } = named;
  const origin = `${namedOrigin}; ${listedPricesOrigin}`;
  return new PriceBook(origin, [models, findListedPrices], tools);
}
