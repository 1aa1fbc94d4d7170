// A packed vocabulary is a file of 32-bit little-endian words, but `blocks` and `classes` consist of bytes. Sections
// start on word boundaries, so the file can be used in memory as it is. Words of the header: magic number (0), format
// version (1), number of tokens (2), hash of the sources (3 to 10), byte offset and length of each section (16 to 33).
// The other words are spare.
export const magic = 0x4450424d;
export const formatVersion = 3;
export const headerWords = 40;
export const stampWord = 3;
export const stampWords = 8;
export const sectionWord = 16;

export const sectionNumbers = {
  // A byte for every 128 code points: the number of their block.
  blocks: 0,
  // A byte for each code point of each block: its flags (below). Block 0 is ASCII.
  classes: 1,
  byteRanks: 2,
  // Two words for each pair of bytes, at `first | second << 8`: the rank of the pair as a token, and the lowest rank of
  // all tokens that contain the pair. Each word is `noRank` if there is no such token.
  bytePairs: 3,
  // A word for each token T: two sets of bytes, each a mask of 16 bits. The low four bits of a byte select its bit in a
  // mask, so 16 bytes share each bit. The mask in the low 16 bits has the bytes after T in longer tokens that start
  // with T; the mask in the high 16 bits has the bytes before T in longer tokens that end with T.
  neighbours: 4,
  // Two bits for each token, in the word that its hash selects. The filter rejects most other byte sequences.
  filter: 5,
  // Three words for each token of up to 8 bytes: its bytes in two words, padded with zeros, then its rank and length in
  // the third word. The third word of an empty slot is 0.
  short: 6,
  // A word for each longer token. The low 18 bits are its index in `pool` plus one, the high bits are from its hash. 0
  // marks an empty slot.
  long: 7,
  // For each token in `long`, a word with its rank (low 18 bits) and length (high bits). Its bytes follow, zero-padded.
  pool: 8,
} as const;

export type LayoutSection = keyof typeof sectionNumbers;

// Flags of a code point in `classes`, by its general category. Marks and letters without case are both upper and lower.
export const upperFlag = 1; // `Lu Lt Lm Lo M`
export const lowerFlag = 2; // `Ll Lm Lo M`
export const letterFlag = 4;
export const numberFlag = 8;
export const spaceFlag = 16;
export const newlineFlag = 32;
export const tailFlag = 64; // may end a run of symbols: `\r` and `\n`, in o200k_base also `/`

export const notSymbolFlags = spaceFlag | letterFlag | numberFlag;

export const rankBits = 18;
export const rankMask = 2 ** rankBits - 1;
export const noRank = rankMask;
export const longestTokenBytes = 128;
export const filterWords = 2 ** 16;

// The packer (scripts/vocabulary-pack.ts) and `Vocabulary` share the functions below.

export function hashShort(low: number, high: number, length: number): number {
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high + length, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 14);
}

export function hashWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

export function finishHash(hash: number): number {
  const mixed = Math.imul(hash, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 14);
}

export function makeFilterBits(hash: number): number {
  return (1 << (hash >>> 11)) | (1 << (hash >>> 6));
}

// The table has `factor` · (`mask` + 1) slots. Sizes between powers of two keep the tables small.
export function findSlot(hash: number, mask: number, factor: number): number {
  return (hash & mask) * factor + (((hash >>> 18) * factor) >>> 14);
}
