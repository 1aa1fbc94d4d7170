import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { readCacheFile, writeCacheFile } from "#storage/cache-file.ts";
import { Folder } from "../support/folder.ts";

test("a cache is written whole, for this user only, and read to its limit", () => {
  using folder = new Folder();
  const file = folder.at("state", "cache.json");
  writeCacheFile(file, { a: 1 });
  expect(readCacheFile(file, 7)).toEqual({ a: 1 });
  expect(readCacheFile(file, 6)).toBeUndefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder.at("state")).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder.at("state"))).toEqual(["cache.json"]);
});

test("nothing is thrown for a cache that cannot be used", () => {
  using folder = new Folder();
  expect(readCacheFile(folder.at("missing"), 10)).toBeUndefined();
  expect(readCacheFile(folder.path, 10)).toBeUndefined();
  expect(readCacheFile(folder.file("torn", '{"a":'), 10)).toBeUndefined();
  expect(readCacheFile("a\0b", 10)).toBeUndefined();
  const file = folder.file("a file", "");
  expect(writeCacheFile(`${file}/below`, {})).toBeUndefined();
  expect(writeCacheFile("a\0b", {})).toBeUndefined();
});
