// Layout of a packed vocabulary file. Numbers are little-endian 32-bit words unless noted. Sections start on word boundaries,
// so the loaded buffer can be viewed in place. The header has the magic number, format version, number of tokens, eight
// words of stamp (a hash of the sources), five spare words, then byte offset and length of each section in the order of
// `sectionNumbers`.
export const magic = 0x4450424d;
export const formatVersion = 3;
export const headerWords = 40;
export const stampWord = 3;
export const stampWords = 8;
export const sectionWord = 16;

export const sectionNumbers = {
  // Bytes: block number of every 128 code points.
  blocks: 0,
  // Bytes: class flags of each code point of each block; block 0 is ASCII.
  classes: 1,
  byteRanks: 2,
  // Two words per two bytes, indexed by `first | second << 8`: the rank of that token, and the lowest rank of any token that contains them, or `noRank`.
  bytePairs: 3,
  // A word per token. The low half has a bit for each byte that follows the token in a longer token starting with it;
  // the high half has a bit for each byte that precedes it in a longer token ending with it.
  neighbours: 4,
  // Two bits per token in the word selected by its hash; most lookups of missing tokens end here.
  filter: 5,
  // Tokens of 1–8 bytes: two zero-padded words, then rank and length; 0 marks an empty slot.
  short: 6,
  // Tokens of 9 or more bytes: index in `pool` plus one in the low 18 bits, hash above; 0 marks an empty slot.
  long: 7,
  // Per long token: rank in the low 18 bits and length above, then its bytes, zero-padded to words.
  pool: 8,
} as const;

export type LayoutSection = keyof typeof sectionNumbers;

export const rankBits = 18;
export const rankMask = 2 ** rankBits - 1;
export const noRank = rankMask;
export const longestTokenBytes = 128;
export const filterWords = 2 ** 16;

// These hashes are used to pack a vocabulary (scripts/vocabulary-pack.ts) and to search it.

export function hashShort(low: number, high: number, length: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high + length, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 14);
}

export function hashWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

export function hashEnd(hash: number): number {
  const mixed = Math.imul(hash, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 14);
}

export function filterBits(hash: number): number {
  return (1 << (hash >>> 11)) | (1 << (hash >>> 6));
}

// Slot in a table of `factor` · (`mask` + 1) slots: sizes between powers of two keep the tables small.
export function tableSlot(hash: number, mask: number, factor: number): number {
  return (hash & mask) * factor + (((hash >>> 18) * factor) >>> 14);
}
