// Hashes that a packed vocabulary is written with (scripts/vocabulary-pack.ts) and searched by.

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

/** Slot in a table of `factor` · (`mask` + 1) slots: sizes between powers of two keep the tables small. */
export function tableSlot(hash: number, mask: number, factor: number): number {
  return (hash & mask) * factor + (((hash >>> 18) * factor) >>> 14);
}
