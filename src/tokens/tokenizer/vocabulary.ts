import {
  makeFilterBits,
  finishHash,
  hashShort,
  hashWord,
  findSlot,
  formatVersion,
  headerWords,
  type LayoutSection,
  longestTokenBytes,
  magic,
  noRank,
  rankBits,
  rankMask,
  sectionNumbers,
  sectionWord,
} from "./vocabulary-layout.ts";
import type { Utf8 } from "./feed.ts";

// At index N, the two masks keep the first N of 8 bytes: `lowMasks` is for bytes 1 to 4, `highMasks` for bytes 5 to 8.
const lowMasks = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1, -1, -1, -1, -1);
const highMasks = Int32Array.of(0, 0, 0, 0, 0, 0xff, 0xffff, 0xffffff, -1);

/** Uses a file in the format of vocabulary-layout.ts without copying it. */
export class Vocabulary {
  readonly blocks: Uint8Array;
  readonly classes: Uint8Array;
  readonly byteRanks: Int32Array;
  readonly bytePairs: Int32Array;
  readonly neighbours: Int32Array;
  readonly #filter: Int32Array;
  readonly #short: Int32Array;
  readonly #shortMask: number;
  readonly #shortFactor: number;
  readonly #long: Int32Array;
  readonly #longMask: number;
  readonly #longFactor: number;
  readonly #pool: Int32Array;

  constructor(file: ArrayBuffer) {
    const header = new Uint32Array(file, 0, headerWords);
    if (header[0] !== magic || header[1] !== formatVersion) {
      throw new Error("Cannot read the vocabulary: the file is not packed in the current format");
    }
    const words = (section: LayoutSection) => {
      const [offset = 0, length = 0] = header.subarray(sectionWord + sectionNumbers[section] * 2);
      return new Int32Array(file, offset, length / 4);
    };
    const bytes = (section: LayoutSection) => {
      const { buffer, byteOffset, byteLength } = words(section);
      return new Uint8Array(buffer, byteOffset, byteLength);
    };
    this.blocks = bytes("blocks");
    this.classes = bytes("classes");
    this.byteRanks = words("byteRanks");
    this.bytePairs = words("bytePairs");
    this.neighbours = words("neighbours");
    this.#filter = words("filter");
    this.#short = words("short");
    this.#shortFactor = findOddFactor(this.#short.length / 3);
    this.#shortMask = this.#short.length / 3 / this.#shortFactor - 1;
    this.#long = words("long");
    this.#longFactor = findOddFactor(this.#long.length);
    this.#longMask = this.#long.length / this.#longFactor - 1;
    this.#pool = words("pool");
  }

  findRank(text: Utf8, from: number, length: number): number {
    if (length > 8)
      return length > longestTokenBytes ? noRank : this.#findLongRank(text, from, length);
    const { view } = text;
    const low = view.getInt32(from, true) & (lowMasks[length] as number);
    const high = view.getInt32(from + 4, true) & (highMasks[length] as number);
    const hash = hashShort(low, high, length);
    if (!this.#mayContain(hash)) return noRank;
    const short = this.#short;
    let at = findSlot(hash, this.#shortMask, this.#shortFactor) * 3;
    for (;;) {
      const entry = short[at + 2] as number;
      if (entry === 0) return noRank;
      if (short[at] === low && short[at + 1] === high && entry >>> rankBits === length) {
        return entry & rankMask;
      }
      at += 3;
      if (at === short.length) at = 0;
    }
  }

  #findLongRank(text: Utf8, from: number, length: number): number {
    const { view } = text;
    const hash = hashLong(view, from, length);
    if (!this.#mayContain(hash)) return noRank;
    const long = this.#long;
    const pool = this.#pool;
    let slot = findSlot(hash, this.#longMask, this.#longFactor);
    for (;;) {
      const entry = long[slot] as number;
      if (entry === 0) return noRank;
      if (entry >>> rankBits === hash >>> rankBits) {
        const index = (entry & rankMask) - 1;
        const head = pool[index] as number;
        if (head >>> rankBits === length && this.#equals(index + 1, view, from, length)) {
          return head & rankMask;
        }
      }
      slot++;
      if (slot === long.length) slot = 0;
    }
  }

  #equals(index: number, view: DataView, from: number, length: number): boolean {
    const pool = this.#pool;
    const wholeWords = length >> 2;
    for (let word = 0; word < wholeWords; word++) {
      if (pool[index + word] !== view.getInt32(from + word * 4, true)) return false;
    }
    return (length & 3) === 0 || pool[index + wholeWords] === readLastWord(view, from, length);
  }

  #mayContain(hash: number): boolean {
    const bits = makeFilterBits(hash);
    return ((this.#filter[hash >>> 16] as number) & bits) === bits;
  }
}

export function readCharacterFlags(
  bytes: Uint8Array,
  at: number,
  { blocks, classes }: Vocabulary,
): number {
  const first = bytes[at] as number;
  if (first < 0x80) return classes[first] as number;
  const second = (bytes[at + 1] as number) & 63;
  let point: number;
  if (first < 0xe0) {
    point = ((first & 31) << 6) | second;
  } else {
    const third = (bytes[at + 2] as number) & 63;
    if (first < 0xf0) point = ((first & 15) << 12) | (second << 6) | third;
    else {
      const fourth = (bytes[at + 3] as number) & 63;
      point = ((first & 7) << 18) | (second << 12) | (third << 6) | fourth;
    }
  }
  return classes[((blocks[point >> 7] as number) << 7) | (point & 127)] as number;
}

function hashLong(view: DataView, from: number, length: number): number {
  const wholeWords = length >> 2;
  let hash = length;
  for (let word = 0; word < wholeWords; word++) {
    hash = hashWord(hash, view.getInt32(from + word * 4, true));
  }
  if (length & 3) hash = hashWord(hash, readLastWord(view, from, length));
  return finishHash(hash);
}

function readLastWord(view: DataView, from: number, length: number): number {
  return view.getInt32(from + (length & ~3), true) & (lowMasks[length & 3] as number);
}

function findOddFactor(slots: number): number {
  let odd = slots;
  while (odd % 2 === 0) odd /= 2;
  return odd;
}
