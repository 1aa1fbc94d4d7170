import { calcPrice } from "@pydantic/genai-prices";
import { nameCharactersMax } from "#limits/lines.ts";
import { type TokenPrices, tokenPrices } from "./token-prices.ts";

/** The package that the prices come from, and the day on which it was published with its data. */
export const listedPricesOrigin = "genai-prices 0.1.8, 2026-09-23";

/**
 * The list prices of a model on a day, from data inside the executable; undefined for a model that the data does not
 * name. They are those of a small request: prices of long requests, batches, regions and priority tiers are not
 * applied, since records do not say which requests these were.
 */
export function listedPrices(model: string, at: Date): TokenPrices | undefined {
  if (model.length > nameCharactersMax) return undefined;
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model, { timestamp: at });
  const dollars = (key: string): number | undefined => {
    const price = found?.model_price[key];
    return typeof price === "object" ? price.base : price;
  };
  const [input, output] = [dollars("input_mtok"), dollars("output_mtok")];
  if (input === undefined || output === undefined) return undefined;
  return tokenPrices({
    input,
    output,
    cacheRead: dollars("cache_read_mtok"),
    cacheWrite5m: dollars("cache_write_mtok"),
    cacheWrite1h: dollars("cache_write_1h_mtok"),
  });
}
