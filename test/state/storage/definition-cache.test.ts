import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  definitionCacheBytesMax,
  definitionCountsMax,
  DefinitionCountCache,
  locateDefinitionCache,
} from "#state/storage/definition-cache.ts";
import type { Estimator } from "#tokens/cost/estimator.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { Play } from "../../support/play.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { request } from "../../support/rpc.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "prices-"));
  file = join(folder, "state", "definition-prices.json");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const price = (name: number) => ({
  name_tokens: name,
  description_tokens: 2,
  schema_tokens: 3,
  wire_only_tokens: 4,
});

function saved(...names: readonly number[]): DefinitionCountCache {
  const cache = new DefinitionCountCache(file, "1.0.0");
  for (const name of names) cache.set("o200k", `hash${name}`, price(name));
  cache.save();
  return cache;
}

const again = (version = "1.0.0") => new DefinitionCountCache(file, version);

describe("DefinitionCountCache", () => {
  test("keeps a price for the next session, the same estimator and the same definition", () => {
    saved(1);
    expect(again().get("o200k", "hash1")).toEqual(price(1));
    expect(again().get("claude", "hash1")).toBeUndefined();
    expect(again().get("o200k", "hash2")).toBeUndefined();
  });

  test("returns a price at once, and writes nothing before save", () => {
    const cache = again();
    cache.set("o200k", "hash1", price(1));
    expect([cache.get("o200k", "hash1"), existsSync(file)]).toEqual([price(1), false]);
  });

  test("writes a file that only its user can read, and leaves no other file", () => {
    saved(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(file))).toEqual(["definition-prices.json"]);
  });

  test("adds up the prices of sessions that end at the same time", () => {
    const caches = [1, 2, 3].map((name) => {
      const cache = again();
      cache.get("o200k", "hash");
      cache.set("o200k", `hash${name}`, price(name));
      return cache;
    });
    for (const cache of caches) cache.save();
    const found = [1, 2, 3].map((name) => again().get("o200k", `hash${name}`)?.name_tokens);
    expect(found).toEqual([1, 2, 3]);
  });

  test("writes nothing for a session without a new price", () => {
    saved(1);
    const before = statSync(file).ino;
    const cache = again();
    cache.set("o200k", "hash1", cache.get("o200k", "hash1") ?? price(9));
    cache.save();
    expect(statSync(file).ino).toBe(before);
  });

  test("does not use prices of another version", () => {
    saved(1);
    expect(again("1.0.1").get("o200k", "hash1")).toBeUndefined();
  });

  test(`keeps the newest of more than ${definitionCountsMax}`, () => {
    saved(...Array.from({ length: definitionCountsMax }, (_, name) => name));
    saved(definitionCountsMax);
    const found = [0, 1, definitionCountsMax].map((name) => again().get("o200k", `hash${name}`));
    expect(found.map((cached) => cached?.name_tokens)).toEqual([undefined, 1, definitionCountsMax]);
    expect(statSync(file).size).toBeLessThan(definitionCacheBytesMax);
  });

  test.each([
    ["torn", '{"format":"definition-prices/1","vers'],
    ["empty", ""],
    ["of somebody else", '{"prices":[["o200k hash1",1,1,1,1]]}'],
    ["of odd rows", odd([["o200k hash1", 1, 1, 1]])],
    ["of odd numbers", odd([["o200k hash1", 1, 1, 1, -1]])],
    ["of odd keys", odd([[7, 1, 1, 1, 1]])],
    ["without rows", odd({})],
    ["a list", "[]"],
  ])("a file that is %s is as good as none, and replaced", (_name, text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    expect(again().get("o200k", "hash1")).toBeUndefined();
    saved(1);
    expect(again().get("o200k", "hash1")).toEqual(price(1));
  });

  test("does not read a file that is too large or not regular", () => {
    saved(1);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text + " ".repeat(definitionCacheBytesMax));
    expect(again().get("o200k", "hash1")).toBeUndefined();
    rmSync(file);
    mkdirSync(file);
    expect(again().get("o200k", "hash1")).toBeUndefined();
    expect(() => saved(1)).not.toThrow();
    expect(readdirSync(dirname(file))).toEqual(["definition-prices.json"]);
  });

  test("does nothing when the file cannot be written", () => {
    mkdirSync(dirname(file), { recursive: true });
    const blocked = new DefinitionCountCache(join(folder, "state", "missing\0", "x"), "1.0.0");
    blocked.set("o200k", "hash1", price(1));
    expect(() => blocked.save()).not.toThrow();
    chmodSync(dirname(file), 0o500);
    expect(() => saved(1)).not.toThrow();
    chmodSync(dirname(file), 0o700);
  });

  test("keeps prices in memory without a file", () => {
    const cache = new DefinitionCountCache(undefined, "1.0.0");
    cache.set("o200k", "hash1", price(1));
    cache.save();
    expect([cache.get("o200k", "hash1"), readdirSync(folder)]).toEqual([price(1), []]);
  });
});

test("locateDefinitionCache is in the state folder, and undefined without one", () => {
  expect(locateDefinitionCache({ XDG_STATE_HOME: "/state" })).toBe(
    "/state/mcp-meter/definition-prices.json",
  );
  expect(locateDefinitionCache({})).toBeUndefined();
});

function countTexts(listed: readonly object[]): { texts: string[]; tokens: number | undefined } {
  const texts: string[] = [];
  const plain = plainReader(undefined);
  const estimator: Estimator = {
    ...plain.estimator,
    count: (text) => {
      texts.push(text);
      return plain.estimator.count(text);
    },
  };
  const reader: Reader = { ...plain, estimator };
  const prices = again();
  const play = new Play({ definitionCache: prices, readerFor: () => reader })
    .client(request(1, "tools/list"))
    .server({ jsonrpc: "2.0", id: 1, result: { tools: listed } })
    .end();
  prices.save();
  const isProtocol = (text: string): boolean => text === JSON.stringify({ tools: listed });
  const counted = texts.filter((text) => !isProtocol(text));
  return { texts: counted, tokens: play.summary.definitions?.tokens };
}

describe("a second session", () => {
  const tools = ["search", "fetch"].map((name) => ({
    name,
    description: `Will ${name}`,
    inputSchema: { type: "object" },
    annotations: { title: name },
  }));

  test("with the same definitions counts nothing and records the same", () => {
    const first = countTexts(tools);
    const second = countTexts(tools);
    expect(first.texts).not.toEqual([]);
    expect(second).toEqual({ texts: [], tokens: first.tokens });
  });

  test("with one changed definition counts that one", () => {
    countTexts(tools);
    const changed = [tools[0] ?? {}, { ...tools[1], description: "Will not" }];
    expect(countTexts(changed).texts).toContain("Will not");
    expect(countTexts(changed).texts).toEqual([]);
  });
});

function odd(prices: unknown): string {
  return JSON.stringify({ format: "definition-prices/1", version: "1.0.0", prices });
}
