import { join } from "node:path";
import { memberAt } from "#wire/json.ts";
import { readCacheFile, writeCacheFile } from "./cache-file.ts";
import { type FolderEnv, stateFolder } from "./folders.ts";

// Some hundred servers for several models.
export const exactCountsMax = 50_000;

export const exactCacheBytesMax = 16 * 1024 * 1024;

const format = "exact-counts/1";

type AddressClaim = { readonly prefix: string; readonly key: string; readonly address: number };

/** By maker, model and hash: never a text, never a key. */
export class ExactCache {
  readonly #file: string | undefined;
  #saved: Map<string, number> | undefined;
  readonly #added = new Map<string, number>();
  #claim: AddressClaim | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** From now on, uses only the maker's counts from this address; others give way to the first new one: a gateway may count differently. */
  claim(maker: string, address: number): void {
    this.#claim = { prefix: `${maker} `, key: `${maker} address`, address };
    this.#saved = undefined;
  }

  get(key: string): number | undefined {
    this.#saved ??= this.#ofClaim(this.#read());
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(key: string, tokens: number): void {
    if (this.#added.size >= exactCountsMax) return;
    if (this.#claim) this.#added.set(this.#claim.key, this.#claim.address);
    this.#added.set(key, tokens);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const counts = [...this.#ofClaim(this.#read()), ...this.#added].slice(-exactCountsMax);
    writeCacheFile(this.#file, { format, counts });
  }

  #ofClaim(counts: Map<string, number>): Map<string, number> {
    if (!this.#claim) return counts;
    const { prefix, key, address } = this.#claim;
    if (counts.get(key) === address) return counts;
    return new Map([...counts].filter(([name]) => !name.startsWith(prefix)));
  }

  #read(): Map<string, number> {
    if (this.#file === undefined) return new Map();
    const value = readCacheFile(this.#file, exactCacheBytesMax);
    const rows = memberAt(value, "counts");
    if (memberAt(value, "format") !== format || !Array.isArray(rows)) return new Map();
    return new Map(rows.slice(-exactCountsMax).filter(isRow));
  }
}

function isRow(value: unknown): value is [key: string, tokens: number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [key, tokens]: unknown[] = value;
  return typeof key === "string" && Number.isSafeInteger(tokens) && Number(tokens) >= 0;
}

export function exactCacheFile(env: FolderEnv): string | undefined {
  const folder = stateFolder(env);
  return folder === undefined ? undefined : join(folder, "exact-counts.json");
}
