/** List prices of a model, in dollars per million tokens. Those of caches are the price of input where a model has none. */
export type TokenPrices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Input that is written to a cache for five minutes. */
  readonly cacheWrite5m: number;
  /** Input that is written to a cache for an hour. */
  readonly cacheWrite1h: number;
};

/** A model's prices as a source states them: those of input and output, and of caches where there are any. */
export type StatedPrices = Pick<TokenPrices, "input" | "output"> & {
  readonly [cache in "cacheRead" | "cacheWrite5m" | "cacheWrite1h"]?: number | undefined;
};

/** Prices with those of caches filled in. */
export function tokenPrices(stated: StatedPrices): TokenPrices {
  const { input, output, cacheRead = input, cacheWrite5m = input } = stated;
  return {
    input,
    output,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: stated.cacheWrite1h ?? cacheWrite5m,
  };
}

/** Prices of a model as prices.schema.json has them, in dollars per million tokens. */
export type RawPrices = {
  readonly in: number;
  readonly out: number;
  readonly read?: number;
  readonly write5m?: number;
  readonly write1h?: number;
};
