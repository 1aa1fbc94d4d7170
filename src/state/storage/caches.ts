import { type DefinitionTokens } from "#tokens/cost/definitions-cost.ts";
import { attempt, tryParseJson } from "#kit/errors.ts";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readMember, isObject } from "#wire/json.ts";
import { type FolderEnv, findStateFolder } from "./folders.ts";
import type { DefinitionCache } from "#tokens/cost/definition-tokens.ts";

export function readCacheFile(file: string, bytesMax: number): unknown {
  return tryParseJson(readCacheText(file, bytesMax));
}

export function readCacheText(file: string, bytesMax: number): string | undefined {
  return attempt(() => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > bytesMax) return undefined;
    return readFileSync(file, "utf8");
  });
}

export function readQuietly(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export function writeCacheFile(file: string, value: object): void {
  writeCacheText(file, JSON.stringify(value));
}

// Writes with mode 0600, all or nothing. Never throws: a missing cache only costs time.
export function writeCacheText(file: string, text: string | Uint8Array): void {
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

type Endpoint = { readonly prefix: string; readonly key: string; readonly urlHash: number };

// Token counts by maker, model and hash of the text. The file holds no text and no API key.
export class ExactCache {
  readonly #file: string | undefined;
  #saved: Map<string, number> | undefined;
  readonly #added = new Map<string, number>();
  #endpoint: Endpoint | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  // Counts from another URL of the same maker are dropped: a gateway may count differently.
  setEndpoint(maker: string, urlHash: number): void {
    this.#endpoint = { prefix: `${maker} `, key: `${maker} address`, urlHash };
    this.#saved = undefined;
  }

  get(key: string): number | undefined {
    this.#saved ??= this.#dropOtherEndpoints(this.#read());
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(key: string, tokens: number): void {
    if (this.#added.size >= exactCountsMax) return;
    // One more row of the file.
    if (this.#endpoint) this.#added.set(this.#endpoint.key, this.#endpoint.urlHash);
    this.#added.set(key, tokens);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const counts = [...this.#dropOtherEndpoints(this.#read()), ...this.#added].slice(
      -exactCountsMax,
    );
    writeCacheFile(this.#file, { format: exactFormat, counts });
  }

  #dropOtherEndpoints(counts: Map<string, number>): Map<string, number> {
    if (!this.#endpoint) return counts;
    const { prefix, key, urlHash } = this.#endpoint;
    if (counts.get(key) === urlHash) return counts;
    return new Map([...counts].filter(([name]) => !name.startsWith(prefix)));
  }

  #read(): Map<string, number> {
    if (this.#file === undefined) return new Map();
    const value = readCacheFile(this.#file, exactCacheBytesMax);
    const rows = readMember(value, "counts");
    if (readMember(value, "format") !== exactFormat || !Array.isArray(rows)) return new Map();
    return new Map(rows.slice(-exactCountsMax).filter(isExactCount));
  }
}

function isExactCount(value: unknown): value is [key: string, tokens: number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [key, tokens]: unknown[] = value;
  return typeof key === "string" && Number.isSafeInteger(tokens) && Number(tokens) >= 0;
}

export function locateExactCache(env: FolderEnv): string | undefined {
  const folder = findStateFolder(env);
  return folder === undefined ? undefined : join(folder, "exact-counts.json");
}

export const definitionCountsMax = 5_000;

export const definitionCacheBytesMax = 4 * 1024 * 1024;

const definitionFormat = "definition-prices/1";

// Token counts of definitions for later sessions. A faulty file is ignored without a message, and all is counted again.
export class DefinitionCountCache implements DefinitionCache {
  readonly #file: string | undefined;
  readonly #version: string;
  #saved: Map<string, DefinitionTokens> | undefined;
  readonly #added = new Map<string, DefinitionTokens>();

  // Without a file, counts stay in memory. `version` differs in each build: counts of other builds are not used.
  constructor(file: string | undefined, version: string) {
    this.#file = file;
    this.#version = version;
  }

  get(estimator: string, sha256: string): DefinitionTokens | undefined {
    const key = `${estimator} ${sha256}`;
    this.#saved ??= this.#read();
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(estimator: string, sha256: string, tokens: DefinitionTokens): void {
    const key = `${estimator} ${sha256}`;
    if (this.#saved?.has(key) === true || this.#added.size >= definitionCountsMax) return;
    this.#added.set(key, tokens);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const rows = [...this.#read(), ...this.#added].slice(-definitionCountsMax).map(toRow);
    writeCacheFile(this.#file, { format: definitionFormat, version: this.#version, prices: rows });
  }

  #read(): Map<string, DefinitionTokens> {
    if (this.#file === undefined) return new Map();
    return parseDefinitionRows(readCacheFile(this.#file, definitionCacheBytesMax), this.#version);
  }
}

export function locateDefinitionCache(env: FolderEnv): string | undefined {
  const folder = findStateFolder(env);
  return folder === undefined ? undefined : join(folder, "definition-prices.json");
}

type Row = readonly [key: string, name: number, description: number, schema: number, wire: number];

function toRow([key, tokens]: readonly [string, DefinitionTokens]): Row {
  return [
    key,
    tokens.name_tokens,
    tokens.description_tokens,
    tokens.schema_tokens,
    tokens.wire_only_tokens,
  ];
}

function parseDefinitionRows(value: unknown, version: string): Map<string, DefinitionTokens> {
  const counts = new Map<string, DefinitionTokens>();
  if (!isObject(value) || value["format"] !== definitionFormat) return counts;
  if (value["version"] !== version) return counts;
  const rows = readMember(value, "prices");
  if (!Array.isArray(rows)) return counts;
  for (const row of rows.slice(-definitionCountsMax)) {
    if (!isRow(row)) return new Map();
    const [key, name, description, schema, wire] = row;
    counts.set(key, {
      name_tokens: name,
      description_tokens: description,
      schema_tokens: schema,
      wire_only_tokens: wire,
    });
  }
  return counts;
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [key, ...counts]: unknown[] = value;
  return (
    typeof key === "string" &&
    counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0)
  );
}
