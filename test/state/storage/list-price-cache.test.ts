import { expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";
import {
  type CachedPrices,
  cachedPricesMax,
  readCachedPrices,
  writeCachedPrices,
} from "#commands/statusline/command.ts";
import { Folder } from "../../support/folder.ts";

const prices = { input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25, cacheWrite1h: 10 };

test("prices are read again by the build that wrote them", () => {
  using folder = new Folder();
  const written: CachedPrices = new Map([
    ["2026-11-20 claude-opus-5", prices],
    ["2026-11-20 unknown", null],
  ]);
  writeCachedPrices(folder.path, "1", written);
  expect(readCachedPrices(folder.path, "1")).toEqual(written);
  expect(readCachedPrices(folder.path, "2").size).toBe(0);
  expect(statSync(folder.at("list-prices.json")).mode & 0o777).toBe(0o600);
});

test(`the newest ${cachedPricesMax} prices are kept`, () => {
  using folder = new Folder();
  const keys = Array.from({ length: cachedPricesMax + 1 }, (_, at) => `day model-${at}`);
  writeCachedPrices(folder.path, "1", new Map(keys.map((key) => [key, prices])));
  expect([...readCachedPrices(folder.path, "1").keys()]).toEqual(keys.slice(1));
});

test("damaged and foreign files are no prices", () => {
  using folder = new Folder();
  const good = { format: "list-prices/1", version: "1", prices: { a: prices, b: null } };
  const texts = [
    "",
    "{",
    "[]",
    JSON.stringify({ ...good, format: "other/1" }),
    JSON.stringify({ ...good, prices: [] }),
    JSON.stringify({ ...good, prices: { a: { ...prices, output: -1 } } }),
    JSON.stringify({ ...good, prices: { a: { ...prices, cacheRead: undefined } } }),
    JSON.stringify({ ...good, prices: { a: 7 } }),
    `${JSON.stringify(good)}${" ".repeat(256 * 1024)}`,
  ];
  for (const text of texts) {
    writeFileSync(folder.at("list-prices.json"), text);
    expect(readCachedPrices(folder.path, "1").size).toBe(0);
  }
  writeFileSync(folder.at("list-prices.json"), JSON.stringify(good));
  expect(readCachedPrices(folder.path, "1").size).toBe(2);
});

test("a folder that cannot be written is no failure", () => {
  using folder = new Folder();
  writeCachedPrices(folder.file("file", ""), "1", new Map([["a", prices]]));
});
