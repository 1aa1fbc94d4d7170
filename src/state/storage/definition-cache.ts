import type { DefinitionCache } from "#tokens/cost/count-definition.ts";
import type { DefinitionTokens } from "#tokens/cost/definitions-cost.ts";
import { readMember, isObject } from "#wire/json.ts";
import { readCacheFile, writeCacheFile } from "./cache-file.ts";
import { type FolderEnv, locateInState } from "./folders.ts";

export const definitionCountsMax = 5_000;

export const definitionCacheBytesMax = 4 * 1024 * 1024;

const definitionFormat = "definition-prices/1";

export class DefinitionCountCache implements DefinitionCache {
  readonly #file: string | undefined;
  readonly #version: string;
  #saved: Map<string, DefinitionTokens> | undefined;
  readonly #added = new Map<string, DefinitionTokens>();

  // Without a file, counts stay in memory. Counts saved by a build with another `version` are not used.
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
  return locateInState(env, "definition-prices.json");
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
