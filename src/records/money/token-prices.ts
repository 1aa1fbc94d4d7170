/** Dollars per million tokens. Cache prices default to the input price. */
export type TokenPrices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
};

export type StatedPrices = Pick<TokenPrices, "input" | "output"> & {
  readonly [cache in "cacheRead" | "cacheWrite5m" | "cacheWrite1h"]?: number | undefined;
};

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

/** As in prices.schema.json, in dollars per million tokens. */
export type RawPrices = {
  readonly in: number;
  readonly out: number;
  readonly read?: number;
  readonly write5m?: number;
  readonly write1h?: number;
};
