import {
  FORMAT_VERSION,
  filterBits,
  HEADER_WORDS,
  hashEnd,
  hashShort,
  hashWord,
  MAGIC,
  NONE,
  RANK_BITS,
  RANK_MASK,
  SECTION_WORD,
  SECTIONS,
  type LayoutSection,
  slotOf,
  TOKEN_BYTES_MAX,
} from "./layout.ts";
import type { Utf8 } from "./utf8.ts";

/** Which bits of its two words belong to a token, by its length of 0–8 bytes. */
const LOW_MASKS = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
const HIGH_MASKS = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/**
 * The tokens of one encoding, viewed in the packed file's own memory (see layout.ts): nothing is
 * parsed or copied. Throws when `file` is no packed vocabulary of this format.
 */
export class Vocabulary {
  readonly blocks: Uint8Array;
  readonly classes: Uint8Array;
  readonly bytePairs: Int32Array;
  private readonly filter: Int32Array;
  private readonly short: Int32Array;
  private readonly shortMask: number;
  private readonly shortFactor: number;
  private readonly long: Int32Array;
  private readonly longMask: number;
  private readonly longFactor: number;
  private readonly pool: Int32Array;

  constructor(file: ArrayBuffer) {
    const header = new Uint32Array(file, 0, HEADER_WORDS);
    if (header[0] !== MAGIC || header[1] !== FORMAT_VERSION) {
      throw new Error("Cannot read the vocabulary: this is no packed file of the current format");
    }
    const words = (section: LayoutSection) => {
      const [offset = 0, length = 0] = header.subarray(SECTION_WORD + SECTIONS[section] * 2);
      return new Int32Array(file, offset, length / 4);
    };
    const bytes = (section: LayoutSection) => {
      const { buffer, byteOffset, byteLength } = words(section);
      return new Uint8Array(buffer, byteOffset, byteLength);
    };
    this.blocks = bytes("blocks");
    this.classes = bytes("classes");
    this.bytePairs = words("bytePairs");
    this.filter = words("filter");
    this.short = words("short");
    this.shortFactor = oddPart(this.short.length / 3);
    this.shortMask = this.short.length / 3 / this.shortFactor - 1;
    this.long = words("long");
    this.longFactor = oddPart(this.long.length);
    this.longMask = this.long.length / this.longFactor - 1;
    this.pool = words("pool");
  }

  /** Rank of the `length` ≥ 2 bytes of `text` from `from`, NONE when they are no token. */
  rank(text: Utf8, from: number, length: number): number {
    if (length > 8) return length > TOKEN_BYTES_MAX ? NONE : this.rankLong(text, from, length);
    const { view } = text;
    const low = view.getInt32(from, true) & (LOW_MASKS[length] as number);
    const high = view.getInt32(from + 4, true) & (HIGH_MASKS[length] as number);
    const hash = hashShort(low, high, length);
    if (!this.mayHold(hash)) return NONE;
    const { short } = this;
    let at = slotOf(hash, this.shortMask, this.shortFactor) * 3;
    for (;;) {
      const entry = short[at + 2] as number;
      if (entry === 0) return NONE;
      if (short[at] === low && short[at + 1] === high && entry >>> RANK_BITS === length) {
        return entry & RANK_MASK;
      }
      at += 3;
      if (at === short.length) at = 0;
    }
  }

  private rankLong(text: Utf8, from: number, length: number): number {
    const { view } = text;
    const whole = length >> 2;
    let hash = length;
    for (let word = 0; word < whole; word++) {
      hash = hashWord(hash, view.getInt32(from + word * 4, true));
    }
    if (length & 3) hash = hashWord(hash, lastWord(view, from, length));
    hash = hashEnd(hash);
    if (!this.mayHold(hash)) return NONE;
    const { long, pool } = this;
    let slot = slotOf(hash, this.longMask, this.longFactor);
    for (;;) {
      const entry = long[slot] as number;
      if (entry === 0) return NONE;
      if (entry >>> RANK_BITS === hash >>> RANK_BITS) {
        const place = (entry & RANK_MASK) - 1;
        const head = pool[place] as number;
        if (head >>> RANK_BITS === length && this.equals(place + 1, view, from, length)) {
          return head & RANK_MASK;
        }
      }
      slot++;
      if (slot === long.length) slot = 0;
    }
  }

  private equals(place: number, view: DataView, from: number, length: number): boolean {
    const { pool } = this;
    const whole = length >> 2;
    for (let word = 0; word < whole; word++) {
      if (pool[place + word] !== view.getInt32(from + word * 4, true)) return false;
    }
    return (length & 3) === 0 || pool[place + whole] === lastWord(view, from, length);
  }

  private mayHold(hash: number): boolean {
    const bits = filterBits(hash);
    return ((this.filter[hash >>> 16] as number) & bits) === bits;
  }
}

function lastWord(view: DataView, from: number, length: number): number {
  return view.getInt32(from + (length & ~3), true) & (LOW_MASKS[length & 3] as number);
}

/** Largest odd divisor: a table has a power of two times 1, 3, 5 or 7 slots. */
function oddPart(slots: number): number {
  let odd = slots;
  while (odd % 2 === 0) odd /= 2;
  return odd;
}
