/**
 * Layout of a packed vocabulary file, shared by the script that writes it and the view that reads it.
 * All numbers are little-endian 32-bit words unless stated otherwise. Every section begins on a word
 * boundary, so that the loaded buffer is viewed in place.
 *
 * Words 0–15 are the header: magic, format version, number of tokens, eight words of stamp (a hash of the
 * file's sources), five spare. Byte offset and length of each section follow, in the order of
 * `sectionNumbers`.
 */
export const magic = 0x4450424d;
/** Changes with every incompatible change of this layout. */
export const formatVersion = 3;
/** Words before the first section. */
export const headerWords = 40;
/** Word at which the stamp begins. */
export const stampWord = 3;
/** Words of the stamp. */
export const stampWords = 8;
/** Word at which offsets and lengths of the sections begin. */
export const sectionWord = 16;

/** Sections by name, and their order in the header. */
export const sectionNumbers = {
  /** Bytes: block number of every 128 code points. */
  blocks: 0,
  /** Bytes: class flags of each code point of each block; block 0 is ASCII. */
  classes: 1,
  /** Rank of each token of one byte. */
  byteRanks: 2,
  /**
   * Two words per two bytes, indexed by `first | second << 8`: the rank of the token that they are, and the lowest rank
   * of a token that contains them; `noRank` where there is none.
   */
  bytePairs: 3,
  /**
   * A word per token. Low half: a bit for each byte that follows the token in a longer one that begins with it; high
   * half: for each byte that precedes it in one that ends with it (neighbours.ts).
   */
  neighbours: 4,
  /** Two bits per token in the word that its hash selects; most lookups of an absent token end here. */
  filter: 5,
  /** Tokens of 1–8 bytes: their bytes as two zero-padded words, then rank and length; 0 is an empty slot. */
  short: 6,
  /** Tokens of 9 bytes and more: index in `pool` plus one in the low 18 bits, hash above; 0 is an empty slot. */
  long: 7,
  /** Per long token: rank in the low 18 bits and length above, then its bytes, zero-padded to words. */
  pool: 8,
} as const;

/** Name of a section. */
export type LayoutSection = keyof typeof sectionNumbers;

/** Bits of a word that hold a rank; the rest hold a length or a part of a hash. */
export const rankBits = 18;
/** Selects the rank of a word. */
export const rankMask = 2 ** rankBits - 1;
/** Above every real rank: the bytes are not a token. */
export const noRank = rankMask;
/** Bytes of the longest token of either encoding; the packing script checks it. */
export const longestTokenBytes = 128;
/** Words of the filter. */
export const filterWords = 2 ** 16;
