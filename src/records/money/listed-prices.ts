import { calcPrice } from "@pydantic/genai-prices";
import { nameCharactersMax } from "#kit/limits.ts";
import { type TokenPrices, completePrices } from "./price-book.ts";

// The package contains the prices: update it to change them.
export const listedPricesOrigin = "genai-prices 0.1.8, 2026-09-23";

// Prices of plain, short requests: records do not show the prompt's length, batching, region or priority.
export function findListedPrices(model: string, date: Date): TokenPrices | undefined {
  if (model.length > nameCharactersMax) return undefined;
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model, { timestamp: date });
  const dollars = (key: string): number | undefined => {
    const price = found?.model_price[key];
    return typeof price === "object" ? price.base : price;
  };
  const [input, output] = [dollars("input_mtok"), dollars("output_mtok")];
  if (input === undefined || output === undefined) return undefined;
  return completePrices({
    input,
    output,
    cacheRead: dollars("cache_read_mtok"),
    cacheWrite5m: dollars("cache_write_mtok"),
    cacheWrite1h: dollars("cache_write_1h_mtok"),
  });
}
