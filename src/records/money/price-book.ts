import { fitsWildcard } from "#kit/text/wildcard.ts";
import type { TokenPrices } from "./token-prices.ts";

// A year of thirty models.
export const pricedModelsMax = 10_000;

export type PriceSource = (model: string, at: Date) => TokenPrices | undefined;

export type PatternPrices = { readonly pattern: string; readonly prices: TokenPrices };

export function pricesByPattern(all: readonly PatternPrices[]): PriceSource {
  return (model) => all.find(({ pattern }) => fitsWildcard(pattern, model))?.prices;
}

/** The first source that knows the model decides. Each lookup is cached, because it takes as long as reading ten records. */
export class PriceBook {
  readonly origin: string;
  readonly #sources: readonly PriceSource[];
  readonly #known = new Map<string, TokenPrices | undefined>();

  constructor(origin: string, sources: readonly PriceSource[]) {
    this.origin = origin;
    this.#sources = sources;
  }

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
