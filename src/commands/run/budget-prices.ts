import { type Budget, toParts } from "#meter/budgets/budget.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import { type NamedPrices, PriceBook, type TokenPrices } from "#records/money/price-book.ts";
import { findListedPrices, listedPricesOrigin } from "#records/money/listed-prices.ts";

type PricedBudgets = {
  readonly callPrices: CallPrices;
  readonly unpriced: readonly Budget[];
};

type Pricing = { readonly budgets: readonly Budget[]; readonly model: string | undefined };

/** A budget has a price if its model has one, or if each of its tools is paid by the call. */
export function findBudgetPrices(
  { budgets, model = "" }: Pricing,
  named: NamedPrices | undefined,
  now: string = new Date().toISOString(),
): PricedBudgets {
  const sources = named ? [named.models, findListedPrices] : [findListedPrices];
  const book = new PriceBook(listedPricesOrigin, sources, named?.tools);
  const prices = book.find(model, now);
  const unpriced = budgets.filter(
    ({ unit, tool }) => unit === "dollars" && !prices && !(tool !== null && book.pricesTools(tool)),
  );
  return {
    callPrices: {
      origin: named ? `the prices file; ${listedPricesOrigin}` : listedPricesOrigin,
      ...priceTokens(prices),
      findToolPrice: (tool) => toParts(book.findToolPrice(tool)),
    },
    unpriced,
  };
}

const tokensPerPrice = 1e6;

// The upper end of the range that reports show: nothing comes from a cache.
function priceTokens(prices: TokenPrices | undefined) {
  if (!prices) return { argumentToken: 0, answerToken: 0 };
  const { input, output, cacheWrite5m, cacheWrite1h } = prices;
  return {
    argumentToken: output / tokensPerPrice,
    answerToken: Math.max(input, cacheWrite5m, cacheWrite1h) / tokensPerPrice,
  };
}
