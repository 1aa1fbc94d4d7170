import { readMember } from "#wire/json.ts";
import { readCacheFile, writeCacheFile } from "../storage/cache-file.ts";
import { type FolderEnv, locateInState } from "../storage/folders.ts";

export const exactCountsMax = 50_000;

export const exactCacheBytesMax = 16 * 1024 * 1024;

const exactFormat = "exact-counts/1";

// An endpoint is saved among the counts, as the row `[rowKey, urlHash]`.
type Endpoint = { readonly prefix: string; readonly rowKey: string; readonly urlHash: number };

// Token counts by maker and model. The file holds hashes, but no text and no API key.
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
    this.#endpoint = { prefix: `${maker} `, rowKey: `${maker} address`, urlHash };
    this.#saved = undefined;
  }

  get(key: string): number | undefined {
    this.#saved ??= this.#dropIfEndpointChanged(this.#read());
    return this.#added.get(key) ?? this.#saved.get(key);
  }

  set(key: string, tokens: number): void {
    if (this.#added.size >= exactCountsMax) return;
    if (this.#endpoint) this.#added.set(this.#endpoint.rowKey, this.#endpoint.urlHash);
    this.#added.set(key, tokens);
  }

  save(): void {
    if (this.#file === undefined || this.#added.size === 0) return;
    const counts = [...this.#dropIfEndpointChanged(this.#read()), ...this.#added].slice(
      -exactCountsMax,
    );
    writeCacheFile(this.#file, { format: exactFormat, counts });
  }

  #dropIfEndpointChanged(counts: Map<string, number>): Map<string, number> {
    if (!this.#endpoint) return counts;
    const { prefix, rowKey, urlHash } = this.#endpoint;
    if (counts.get(rowKey) === urlHash) return counts;
    return new Map([...counts].filter(([key]) => !key.startsWith(prefix)));
  }

  #read(): Map<string, number> {
    if (this.#file === undefined) return new Map();
    const value = readCacheFile(this.#file, exactCacheBytesMax);
    const rows = readMember(value, "counts");
    if (readMember(value, "format") !== exactFormat || !Array.isArray(rows)) return new Map();
    return new Map(rows.slice(-exactCountsMax).filter(isCacheRow));
  }
}

function isCacheRow(value: unknown): value is [key: string, tokens: number] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [key, tokens]: unknown[] = value;
  return typeof key === "string" && Number.isSafeInteger(tokens) && Number(tokens) >= 0;
}

export function locateExactCache(env: FolderEnv): string | undefined {
  return locateInState(env, "exact-counts.json");
}
