/**
 * Layout of a packed vocabulary file. Numbers are little-endian 32-bit words unless stated otherwise; sections begin
 * on word boundaries, so that the loaded buffer is viewed in place. The header is magic, format version, number of
 * tokens, eight words of stamp (a hash of the sources), five spare words, then byte offset and length of each section
 * in the order of `sectionNumbers`.
 */
export const magic = 0x4450424d;
export const formatVersion = 3;
export const headerWords = 40;
export const stampWord = 3;
export const stampWords = 8;
export const sectionWord = 16;

export const sectionNumbers = {
  /** Bytes: block number of every 128 code points. */
  blocks: 0,
  /** Bytes: class flags of each code point of each block; block 0 is ASCII. */
  classes: 1,
  byteRanks: 2,
  /** Two words per two bytes, indexed by `first | second << 8`: the rank of that token, and the lowest rank of a token that contains them; else `noRank`. */
  bytePairs: 3,
  /**
   * A word per token. Low half: a bit for each byte that follows the token in a longer one that begins with it; high
   * half: for each byte that precedes it in one that ends with it (neighbours.ts).
   */
  neighbours: 4,
  /** Two bits per token in the word that its hash selects; most lookups of an absent token end here. */
  filter: 5,
  /** Tokens of 1–8 bytes: two zero-padded words, then rank and length; 0 is an empty slot. */
  short: 6,
  /** Tokens of 9 bytes and more: index in `pool` plus one in the low 18 bits, hash above; 0 is an empty slot. */
  long: 7,
  /** Per long token: rank in the low 18 bits and length above, then its bytes, zero-padded to words. */
  pool: 8,
} as const;

export type LayoutSection = keyof typeof sectionNumbers;

export const rankBits = 18;
export const rankMask = 2 ** rankBits - 1;
export const noRank = rankMask;
export const longestTokenBytes = 128;
export const filterWords = 2 ** 16;
