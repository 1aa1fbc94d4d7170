import { join } from "node:path";
import type { DefinitionPrice, DefinitionPrices } from "#tokens/cost/begin-tool.ts";
import { isObject, memberAt } from "#wire/json.ts";
import { readCacheFile, writeCacheFile } from "./cache-file.ts";
import { type FolderEnv, stateFolder } from "./folders.ts";

// Some hundred servers, half a megabyte.
export const pricesCachedMax = 5_000;

// A larger file was not written by us.
export const priceCacheBytesMax = 4 * 1024 * 1024;

const format = "definition-prices/1";

/** Prices of definitions, kept from session to session. When anything is wrong with the file, definitions are counted again silently. */
export class PriceCache implements DefinitionPrices {
  readonly #file: string | undefined;
  readonly #version: string;
  #saved: Map<string, DefinitionPrice> | undefined;
  readonly #added = new Map<string, DefinitionPrice>();

  /** Without a file, prices are kept in memory only. `version` differs in each build; prices of another are not used. */
  constructor(file: string | undefined, version: string) {
    this.#file = file;
    this.#version = version;
  }

  get(estimator: string, sha256: string): DefinitionPrice | undefined {
    const key = `${estimator} ${sha256}`;
    this.#saved ??= this.#read();
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(estimator: string, sha256: string, price: DefinitionPrice): void {
    const key = `${estimator} ${sha256}`;
    if (this.#saved?.has(key) === true || this.#added.size >= pricesCachedMax) return;
    this.#added.set(key, price);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const prices = [...this.#read(), ...this.#added].slice(-pricesCachedMax).map(toRow);
    writeCacheFile(this.#file, { format, version: this.#version, prices });
  }

  #read(): Map<string, DefinitionPrice> {
    if (this.#file === undefined) return new Map();
    return parsePrices(readCacheFile(this.#file, priceCacheBytesMax), this.#version);
  }
}

export function priceCacheFile(env: FolderEnv): string | undefined {
  const folder = stateFolder(env);
  return folder === undefined ? undefined : join(folder, "definition-prices.json");
}

type Row = readonly [key: string, name: number, description: number, schema: number, wire: number];

function toRow([key, price]: readonly [string, DefinitionPrice]): Row {
  return [
    key,
    price.name_tokens,
    price.description_tokens,
    price.schema_tokens,
    price.wire_only_tokens,
  ];
}

function parsePrices(value: unknown, version: string): Map<string, DefinitionPrice> {
  const prices = new Map<string, DefinitionPrice>();
  if (!isObject(value) || value["format"] !== format || value["version"] !== version) return prices;
  const rows = memberAt(value, "prices");
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
    typeof key === "string" && counts.every((one) => Number.isSafeInteger(one) && Number(one) >= 0)
  );
}
