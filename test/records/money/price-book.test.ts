import { expect, test } from "bun:test";
import {
  pricedModelsMax,
  PriceBook,
  type PriceSource,
  matchPrices,
  completePrices,
  priceRewrite,
} from "#records/money/price-book.ts";

const at = (input: number) => completePrices({ input, output: input });

test("the first source that knows the model decides, and is asked once a day", () => {
  const lookups: string[] = [];
  const listed: PriceSource = (model, day) => {
    lookups.push(`${model} ${day.toISOString()}`);
    return model === "known" ? at(2) : undefined;
  };
  const book = new PriceBook("a test", [
    matchPrices([{ pattern: "mine-*", prices: at(1) }]),
    listed,
  ]);
  const find = (model: string, ts: string): number | undefined => book.find(model, ts)?.input;
  expect(find("mine-7", "2026-11-22T23:59:59.999Z")).toBe(1);
  expect(find("known", "2026-11-22T00:00:00.000Z")).toBe(2);
  expect(find("known", "2026-11-22T23:59:59.999Z")).toBe(2);
  expect(find("known", "2026-11-23T00:00:00.000Z")).toBe(2);
  expect(find("other", "2026-11-23T00:00:00.000Z")).toBeUndefined();
  expect(find("other", "2026-11-23T00:00:00.000Z")).toBeUndefined();
  expect(lookups).toEqual([
    "known 2026-11-22T00:00:00.000Z",
    "known 2026-11-23T00:00:00.000Z",
    "other 2026-11-23T00:00:00.000Z",
  ]);
});

test("of several patterns the first that fits decides", () => {
  const source = matchPrices([
    { pattern: "gpt-5", prices: at(1) },
    { pattern: "gpt-*", prices: at(2) },
  ]);
  const input = (model: string) => source(model, new Date(0))?.input;
  expect(["gpt-5", "gpt-5.5", "GPT-5", "o3"].map(input)).toEqual([1, 2, undefined, undefined]);
});

test("hostile names of models do not fill memory: the oldest prices are looked up again", () => {
  let lookups = 0;
  const book = new PriceBook("a test", [
    () => {
      lookups += 1;
      return undefined;
    },
  ]);
  for (let number = 0; number <= pricedModelsMax; number += 1)
    book.find(`m${number}`, "2026-11-22");
  book.find("m0", "2026-11-22");
  expect(lookups).toBe(pricedModelsMax + 2);
});

test.each([
  [{ input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25 }, 5.75],
  // Makers that do not charge for writing bill it as input.
  [{ input: 1.25, output: 10, cacheRead: 0.125 }, 1.125],
  [{ input: 1, output: 2 }, 0],
  [{ input: 1, output: 2, cacheRead: 3 }, 0],
])(
  "%j: a million tokens written to a cache again instead of read cost %d more",
  (stated, dollars) => {
    expect(priceRewrite(1e6, completePrices(stated))).toBe(dollars);
  },
);
