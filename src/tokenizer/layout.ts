/**
 * How a packed vocabulary lies in its file: shared by the script that writes it and the view that
 * reads it. All numbers are little-endian 32-bit words unless said otherwise; every section begins
 * on a word boundary, so the loaded buffer is viewed in place.
 *
 * Words 0–15 are the header: magic, format version, number of tokens, eight words of stamp (what the
 * file was made from), five spare. Then for each section, in `SECTIONS` order, byte offset and length.
 */
export const MAGIC = 0x4450424d;
export const FORMAT_VERSION = 2;
export const HEADER_WORDS = 32;
export const STAMP_WORD = 3;
export const STAMP_WORDS = 8;
export const SECTION_WORD = 16;

export const SECTIONS = {
  /** Bytes: block number of every 128 code points. */
  blocks: 0,
  /** Bytes: class flags of each code point of each block; block 0 is ASCII. */
  classes: 1,
  /** Rank of each two-byte token by `first | second << 8`, NONE where there is none. */
  bytePairs: 2,
  /** Two bits a token in the word its hash names; keeps most absent tokens out of the big tables. */
  filter: 3,
  /** Tokens of 1–8 bytes: their bytes as two zero-padded words, then rank and length; 0 is an empty slot. */
  short: 4,
  /** Tokens of 9 bytes and more: place in `pool` plus one in the low 18 bits, hash above; 0 is an empty slot. */
  long: 5,
  /** Per long token: rank in the low 18 bits and length above, then its bytes, zero-padded to words. */
  pool: 6,
} as const;

export type LayoutSection = keyof typeof SECTIONS;

export const RANK_BITS = 18;
export const RANK_MASK = 2 ** RANK_BITS - 1;
/** A rank above every real one: no such token. */
export const NONE = RANK_MASK;
/** The longest token of both encodings, in bytes; the writer checks it. */
export const TOKEN_BYTES_MAX = 128;
export const FILTER_WORDS = 2 ** 16;

/** Class flags of a code point, from the general category as tiktoken's regular expressions see it. */
export const UPPER = 1; // Lu Lt Lm Lo M: the first run of a word
export const LOWER = 2; // Ll Lm Lo M: the second run
export const LETTER = 4; // L
export const NUMBER = 8; // N
export const SPACE = 16; // White_Space
export const NEWLINE = 32; // \r \n
export const TAIL = 64; // ends a run of symbols: \r \n, in o200k_base / too

/** Hash of a token of up to eight bytes by its two words and length. */
export function hashShort(low: number, high: number, length: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high + length, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 14);
}

/** One step of a long token's hash; begin with its length, take each word, end with `hashEnd`. */
export function hashWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

export function hashEnd(hash: number): number {
  const mixed = Math.imul(hash, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 14);
}

/** The two bits a hash sets in its word of the filter, which is `hash >>> 16`. */
export function filterBits(hash: number): number {
  return (1 << (hash >>> 11)) | (1 << (hash >>> 6));
}

/**
 * Slot of a hash in a table of `factor` · (`mask` + 1) slots: sizes between the powers of two keep
 * the tables small. The high half of the hash chooses among the `factor` neighbours.
 */
export function slotOf(hash: number, mask: number, factor: number): number {
  return (hash & mask) * factor + (((hash >>> 18) * factor) >>> 14);
}
