import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readMember, isObject } from "#wire/json.ts";
import { type FolderEnv, findStateFolder } from "./folders.ts";
import type { DefinitionTokens, DefinitionCache } from "#tokens/cost/definition-tokens.ts";

export function readCacheFile(file: string, bytesMax: number): unknown {
  return parseCacheText(readCacheText(file, bytesMax));
}

export function readCacheText(file: string, bytesMax: number): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > bytesMax) return undefined;
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export function parseCacheText(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// With mode 0600, in full or not at all. Never throws: without a cache everything is counted again.
export function writeCacheFile(file: string, value: object): void {
  writeCacheText(file, JSON.stringify(value));
}

export function writeCacheText(file: string, text: string): void {
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
    renameSync(fresh, file);
  } catch {
    removeQuietly(fresh);
  }
}

export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It was never written, another process removed it, or the folder is read-only.
  }
}

export const exactCountsMax = 50_000;

export const exactCacheBytesMax = 16 * 1024 * 1024;

const exactFormat = "exact-counts/1";

type AddressClaim = { readonly prefix: string; readonly key: string; readonly address: number };

// Token counts by maker, model and hash of the text. The file holds no text and no API key.
export class ExactCache {
  readonly #file: string | undefined;
  #saved: Map<string, number> | undefined;
  readonly #added = new Map<string, number>();
  #claim: AddressClaim | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  // A new count replaces the maker's counts from other addresses: a gateway may count differently.
  claim(maker: string, address: number): void {
    this.#claim = { prefix: `${maker} `, key: `${maker} address`, address };
    this.#saved = undefined;
  }

  get(key: string): number | undefined {
    this.#saved ??= this.#dropOtherAddresses(this.#read());
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(key: string, tokens: number): void {
    if (this.#added.size >= exactCountsMax) return;
    if (this.#claim) this.#added.set(this.#claim.key, this.#claim.address);
    this.#added.set(key, tokens);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const counts = [...this.#dropOtherAddresses(this.#read()), ...this.#added].slice(
      -exactCountsMax,
    );
    writeCacheFile(this.#file, { format: exactFormat, counts });
  }

  #dropOtherAddresses(counts: Map<string, number>): Map<string, number> {
    if (!this.#claim) return counts;
    const { prefix, key, address } = this.#claim;
    if (counts.get(key) === address) return counts;
    return new Map([...counts].filter(([name]) => !name.startsWith(prefix)));
  }

  #read(): Map<string, number> {
    if (this.#file === undefined) return new Map();
    const value = readCacheFile(this.#file, exactCacheBytesMax);
    const rows = readMember(value, "counts");
    if (readMember(value, "format") !== exactFormat || !Array.isArray(rows)) return new Map();
    return new Map(rows.slice(-exactCountsMax).filter(isExactRow));
  }
}

function isExactRow(value: unknown): value is [key: string, tokens: number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [key, tokens]: unknown[] = value;
  return typeof key === "string" && Number.isSafeInteger(tokens) && Number(tokens) >= 0;
}

export function locateExactCache(env: FolderEnv): string | undefined {
  const folder = findStateFolder(env);
  return folder === undefined ? undefined : join(folder, "exact-counts.json");
}

export const pricesCachedMax = 5_000;

export const priceCacheBytesMax = 4 * 1024 * 1024;

const format = "definition-prices/1";

// Keeps prices of definitions for later sessions. If the file is faulty, counts again in silence.
export class PriceCache implements DefinitionCache {
  readonly #file: string | undefined;
  readonly #version: string;
  #saved: Map<string, DefinitionTokens> | undefined;
  readonly #added = new Map<string, DefinitionTokens>();

  // Without a file, prices stay in memory. `version` differs in each build: prices of other builds
  // are not used.
  constructor(file: string | undefined, version: string) {
    this.#file = file;
    this.#version = version;
  }

  get(estimator: string, sha256: string): DefinitionTokens | undefined {
    const key = `${estimator} ${sha256}`;
    this.#saved ??= this.#read();
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(estimator: string, sha256: string, price: DefinitionTokens): void {
    const key = `${estimator} ${sha256}`;
    if (this.#saved?.has(key) === true || this.#added.size >= pricesCachedMax) return;
    this.#added.set(key, price);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const prices = [...this.#read(), ...this.#added].slice(-pricesCachedMax).map(toRow);
    writeCacheFile(this.#file, { format, version: this.#version, prices });
  }

  #read(): Map<string, DefinitionTokens> {
    if (this.#file === undefined) return new Map();
    return parsePrices(readCacheFile(this.#file, priceCacheBytesMax), this.#version);
  }
}

export function locatePriceCache(env: FolderEnv): string | undefined {
  const folder = findStateFolder(env);
  return folder === undefined ? undefined : join(folder, "definition-prices.json");
}

type Row = readonly [key: string, name: number, description: number, schema: number, wire: number];

function toRow([key, price]: readonly [string, DefinitionTokens]): Row {
  return [
    key,
    price.name_tokens,
    price.description_tokens,
    price.schema_tokens,
    price.wire_only_tokens,
  ];
}

function parsePrices(value: unknown, version: string): Map<string, DefinitionTokens> {
  const prices = new Map<string, DefinitionTokens>();
  if (!isObject(value) || value["format"] !== format || value["version"] !== version) return prices;
  const rows = readMember(value, "prices");
  if (!Array.isArray(rows)) return prices;
  for (const row of rows.slice(-pricesCachedMax)) {
    if (!isRow(row)) return new Map();
    const [key, name, description, schema, wire] = row;
    prices.set(key, {
      name_tokens: name,
      description_tokens: description,
      schema_tokens: schema,
      wire_only_tokens: wire,
    });
  }
  return prices;
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [key, ...counts]: unknown[] = value;
  return (
    typeof key === "string" &&
    counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0)
  );
}
