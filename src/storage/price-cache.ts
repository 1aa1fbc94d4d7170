import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { priceCacheBytesMax, pricesCachedMax } from "#limits.ts";
import type { DefinitionPrice, DefinitionPrices } from "#cost/definition-prices.ts";
import { isObject, memberAt } from "#wire/json.ts";
import { stateFolder } from "./state.ts";

/** Layout of the file; its numbers are those of one version of ours. */
const format = "definition-prices/1";

/**
 * Prices of definitions from session to session, in one file of the state directory. Read when the first
 * price is asked for, written by `save`. It is a cache: whatever is wrong with the file, definitions are
 * counted again and nobody is told.
 */
export class PriceCache implements DefinitionPrices {
  readonly #file: string | undefined;
  readonly #version: string;
  #kept: Map<string, DefinitionPrice> | undefined;
  readonly #added = new Map<string, DefinitionPrice>();

  /** `file` undefined keeps prices in memory only; `version` is ours, another's numbers may differ. */
  constructor(file: string | undefined, version: string) {
    this.#file = file;
    this.#version = version;
  }

  get(estimator: string, sha256: string): DefinitionPrice | undefined {
    const key = `${estimator} ${sha256}`;
    this.#kept ??= this.#read();
    return this.#added.get(key) ?? this.#kept.get(key);
  }

  set(estimator: string, sha256: string, price: DefinitionPrice): void {
    const key = `${estimator} ${sha256}`;
    if (this.#kept?.has(key) === true || this.#added.size >= pricesCachedMax) return;
    this.#added.set(key, price);
  }

  /** Adds the new prices to what the file holds by now. */
  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    // Sessions end at the same time: each writes a file of its own and puts it in place at once.
    const fresh = `${this.#file}.${crypto.randomUUID()}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      const prices = [...this.#read(), ...this.#added].slice(-pricesCachedMax).map(asRow);
      const text = JSON.stringify({ format, version: this.#version, prices });
      writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
      renameSync(fresh, this.#file);
    } catch {
      // A full or read-only disk costs the next session a count.
      discard(fresh);
    }
  }

  #read(): Map<string, DefinitionPrice> {
    if (this.#file === undefined) return new Map();
    try {
      const stats = statSync(this.#file, { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size > priceCacheBytesMax) return new Map();
      return pricesIn(JSON.parse(readFileSync(this.#file, "utf8")), this.#version);
    } catch {
      return new Map();
    }
  }
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it could not be written it cannot be removed.
  }
}

/** Where prices are kept; undefined when the environment names no place. */
export function priceCacheFile(env: Parameters<typeof stateFolder>[0]): string | undefined {
  const folder = stateFolder(env);
  return folder === undefined ? undefined : join(folder, "definition-prices.json");
}

type Row = readonly [key: string, name: number, description: number, schema: number, wire: number];

function asRow([key, price]: readonly [string, DefinitionPrice]): Row {
  return [
    key,
    price.name_tokens,
    price.description_tokens,
    price.schema_tokens,
    price.wire_only_tokens,
  ];
}

/** Prices of a file of ours; none of any other. */
function pricesIn(value: unknown, version: string): Map<string, DefinitionPrice> {
  const known = new Map<string, DefinitionPrice>();
  if (!isObject(value) || value["format"] !== format || value["version"] !== version) return known;
  const rows = memberAt(value, "prices");
  if (!Array.isArray(rows)) return known;
  for (const row of rows.slice(-pricesCachedMax)) {
    if (!isRow(row)) return new Map();
    const [key, name, description, schema, wire] = row;
    known.set(key, {
      name_tokens: name,
      description_tokens: description,
      schema_tokens: schema,
      wire_only_tokens: wire,
    });
  }
  return known;
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [key, ...counts]: unknown[] = value;
  return (
    typeof key === "string" && counts.every((one) => Number.isSafeInteger(one) && Number(one) >= 0)
  );
}
