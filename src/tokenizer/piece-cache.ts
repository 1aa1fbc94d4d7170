import { hashEnd, hashWord } from "./layout.ts";
import { PADDING_BYTES, type Utf8 } from "./utf8.ts";

/** Entries, each of eight words: four of key, then length and count. */
const ENTRIES = 2048;
const ENTRY_WORDS = 8;

/** The longest piece that is remembered. */
export const CACHED_BYTES_MAX = PADDING_BYTES;

/**
 * Token counts of pieces that had to be merged, in a table of fixed size where a new piece takes the
 * place of an older one with the same hash.
 */
export class PieceCache {
  private readonly entries = new Int32Array(ENTRIES * ENTRY_WORDS);
  private readonly key = new Int32Array(CACHED_BYTES_MAX / 4);
  private at = 0;

  /** Count of the piece of `length` ≤ CACHED_BYTES_MAX bytes from `from`, 0 when it is not known. */
  get(text: Utf8, from: number, length: number): number {
    const { entries, key } = this;
    let hash = length;
    for (let word = 0; word < 4; word++) {
      const value = keyWord(text.view, from + word * 4, length - word * 4);
      key[word] = value;
      hash = hashWord(hash, value);
    }
    const at = (hashEnd(hash) & (ENTRIES - 1)) * ENTRY_WORDS;
    this.at = at;
    const isHit =
      entries[at] === key[0] &&
      entries[at + 1] === key[1] &&
      entries[at + 2] === key[2] &&
      entries[at + 3] === key[3] &&
      entries[at + 4] === length;
    return isHit ? (entries[at + 5] as number) : 0;
  }

  /** Remembers the count of the piece that was asked for last. */
  put(length: number, count: number): void {
    const { entries, key, at } = this;
    entries.set(key, at);
    entries[at + 4] = length;
    entries[at + 5] = count;
  }
}

/** The word at `at` of which `bytes` belong to the key. */
function keyWord(view: DataView, at: number, bytes: number): number {
  if (bytes <= 0) return 0;
  const word = view.getInt32(at, true);
  return bytes >= 4 ? word : word & ((1 << (bytes * 8)) - 1);
}
