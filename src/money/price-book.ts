import { pricedModelsMax } from "#limits/records.ts";
import { fitsWildcard } from "#text/wildcard.ts";
import type { TokenPrices } from "./token-prices.ts";

/** Gives the prices of a model on a day; undefined for a model that it does not know. */
export type PriceSource = (model: string, at: Date) => TokenPrices | undefined;

/** Prices of the models whose name fits a pattern. */
export type PatternPrices = { readonly pattern: string; readonly prices: TokenPrices };

/** The first of these whose pattern fits the model decides; the day does not matter. */
export function pricesByPattern(all: readonly PatternPrices[]): PriceSource {
  return (model) => all.find(({ pattern }) => fitsWildcard(pattern, model))?.prices;
}

/**
 * Prices by model and day: those of the first source that knows the model. Each is looked up once, because a lookup takes
 * as long as reading ten records.
 */
export class PriceBook {
  /** The origin of the prices with its date, for people. */
  readonly origin: string;
  readonly #sources: readonly PriceSource[];
  readonly #known = new Map<string, TokenPrices | undefined>();

  constructor(origin: string, sources: readonly PriceSource[]) {
    this.origin = origin;
    this.#sources = sources;
  }

  /** The prices of a model at a time, ISO 8601 in UTC; undefined when no source knows the model. */
  find(model: string, ts: string): TokenPrices | undefined {
    const day = ts.slice(0, "2026-11-22".length);
    const key = `${day} ${model}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const prices = this.#look(model, new Date(`${day}T00:00:00Z`));
    if (this.#known.size >= pricedModelsMax) this.#known.clear();
    this.#known.set(key, prices);
    return prices;
  }

  #look(model: string, at: Date): TokenPrices | undefined {
    for (const source of this.#sources) {
      const prices = source(model, at);
      if (prices) return prices;
    }
    return undefined;
  }
}
