import { expect, test } from "bun:test";
import { tokenPrices } from "#money/token-prices.ts";

test.each([
  [{ input: 3, output: 15 }, [3, 3, 3]],
  [{ input: 3, output: 15, cacheRead: 0.3 }, [0.3, 3, 3]],
  [{ input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 }, [0.3, 3.75, 3.75]],
  [{ input: 3, output: 15, cacheRead: 0, cacheWrite5m: 3.75, cacheWrite1h: 6 }, [0, 3.75, 6]],
] as const)("%j: a cache without a price costs as the next cheaper use", (stated, caches) => {
  const { cacheRead, cacheWrite5m, cacheWrite1h } = tokenPrices(stated);
  expect([cacheRead, cacheWrite5m, cacheWrite1h]).toEqual([...caches]);
});
