import { expect, test } from "bun:test";
import { openPrices, parsePriceOptions, readNamedPrices } from "#commands/price-options.ts";
import { Folder } from "../support/folder.ts";

const ts = "2026-11-22T12:00:00.000Z";

test("without --cost there are no prices, and the file is not read", async () => {
  const options = parsePriceOptions({ prices: "nowhere.json" });
  expect(options).toEqual({ isCosted: false, priceFile: "nowhere.json" });
  expect(await readNamedPrices(options)).toBeUndefined();
  expect(await openPrices(options, undefined)).toBeUndefined();
});

test("--cost: the prices that are built in", async () => {
  const book = await openPrices(parsePriceOptions({ cost: true }), undefined);
  expect(book?.origin).toMatch(/^genai-prices \d/);
  expect(book?.find("claude-opus-5", ts)?.input).toBe(5);
});

test("--prices: those of the file come first, and the origin names both", async () => {
  using folder = new Folder();
  const file = folder.file("mine.json", '{"claude-opus-5": {"in": 1, "out": 2}}');
  const options = parsePriceOptions({ cost: true, prices: file });
  const book = await openPrices(options, await readNamedPrices(options));
  expect(book?.origin).toStartWith(`${file}; genai-prices`);
  expect(book?.find("claude-opus-5", ts)?.input).toBe(1);
  expect(book?.find("claude-haiku-4-5", ts)?.input).toBe(1);
});
