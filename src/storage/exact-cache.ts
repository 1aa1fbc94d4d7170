import { join } from "node:path";
import { exactCacheBytesMax, exactCountsMax } from "#limits/counting.ts";
import { memberAt } from "#wire/json.ts";
import { readCacheFile, writeCacheFile } from "./cache-file.ts";
import { type FolderEnv, stateFolder } from "./folders.ts";

/** The layout of the file, and the way in which definitions are sent. */
const format = "exact-counts/1";

/** A maker whose counts are to be those of one address. */
type AddressClaim = { readonly prefix: string; readonly key: string; readonly address: number };

/** Keeps the counts of makers from run to run, by maker, model and hash: never a text, never a key. */
export class ExactCache {
  readonly #file: string | undefined;
  #saved: Map<string, number> | undefined;
  readonly #added = new Map<string, number>();
  #claim: AddressClaim | undefined;

  /** Without a file, counts are kept in memory only. */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /**
   * From now on, the counts of a maker are those of one address. The ones that another address gave are not used, and give way to
   * the first new one: a gateway may count in another way. `address` stands for it, as a whole number.
   */
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

  /** Adds the new counts to those that the file holds by now. Never throws. */
  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const counts = [...this.#ofClaim(this.#read()), ...this.#added].slice(-exactCountsMax);
    writeCacheFile(this.#file, { format, counts });
  }

  /** Counts without those of the claimed maker from another address. */
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

/** The file that exact counts are kept in; undefined when the environment names no place for it. */
export function exactCacheFile(env: FolderEnv): string | undefined {
  const folder = stateFolder(env);
  return folder === undefined ? undefined : join(folder, "exact-counts.json");
}
