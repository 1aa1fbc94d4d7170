import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import {
  exactCacheBytesMax,
  exactCountsMax,
  ExactCache,
  locateExactCache,
} from "#state/makers/exact-cache.ts";
import { Folder } from "../../support/folder.ts";

describe("ExactCache", () => {
  test("keeps counts for the next run, beside those of others", () => {
    using folder = new Folder();
    const file = folder.at("exact-counts.json");
    const [first, second] = [new ExactCache(file), new ExactCache(file)];
    first.set("a", 1);
    second.set("b", 2);
    expect([first.get("a"), first.get("b"), existsSync(file)]).toEqual([1, undefined, false]);
    first.save();
    second.save();
    const next = new ExactCache(file);
    expect([next.get("a"), next.get("b"), next.get("c")]).toEqual([1, 2, undefined]);
    next.save();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      format: "exact-counts/1",
      counts: [
        ["a", 1],
        ["b", 2],
      ],
    });
  });

  test.each([
    ["another format", '{"format":"exact-counts/2","counts":[["a",1]]}'],
    ["a list", "[]"],
    ["counts that are none", '{"format":"exact-counts/1","counts":{"a":1}}'],
    [
      "values that are none",
      '{"format":"exact-counts/1","counts":[["a",-1],["a","1"],["a",1,1],[1,1],null]}',
    ],
    ["a longer file", " ".repeat(exactCacheBytesMax + 1)],
  ])("%s holds none", (_, text) => {
    using folder = new Folder();
    expect(new ExactCache(folder.file("counts.json", text)).get("a")).toBeUndefined();
  });

  test("counts of a maker from another address are not used, and give way to the first new one", () => {
    using folder = new Folder();
    const file = folder.at("counts.json");
    const opened = (address: number) => {
      const cache = new ExactCache(file);
      cache.setEndpoint("anthropic", address);
      return cache;
    };
    const first = opened(1);
    first.set("anthropic m base", 7);
    first.set("google m base", 9);
    first.save();
    expect([1, 2].map((address) => opened(address).get("anthropic m base"))).toEqual([
      7,
      undefined,
    ]);
    opened(2).save();
    expect(opened(1).get("anthropic m base")).toBe(7);
    const reopened = opened(2);
    reopened.set("anthropic n base", 8);
    reopened.save();
    const unchanged = new ExactCache(file);
    const keys = ["anthropic m base", "anthropic n base", "google m base"];
    expect(keys.map((key) => unchanged.get(key))).toEqual([undefined, 8, 9]);
    expect(opened(2).get("anthropic n base")).toBe(8);
  });

  test("the oldest counts beyond the limit are dropped", () => {
    using folder = new Folder();
    const file = folder.at("counts.json");
    const full = new ExactCache(file);
    for (let at = 0; at < exactCountsMax; at += 1) full.set(`k${at}`, at);
    full.set("beyond", 1);
    full.save();
    const newer = new ExactCache(file);
    newer.set("newer", 1);
    newer.save();
    const next = new ExactCache(file);
    expect([next.get("newer"), next.get("k0"), next.get("k1"), next.get("beyond")]).toEqual([
      1,
      undefined,
      1,
      undefined,
    ]);
  });

  test("without a place, counts are kept in memory", () => {
    const cache = new ExactCache(locateExactCache({}));
    cache.set("a", 1);
    cache.save();
    expect(cache.get("a")).toBe(1);
    expect(locateExactCache({ HOME: "/h" })).toBe("/h/.local/state/mcp-meter/exact-counts.json");
  });
});
