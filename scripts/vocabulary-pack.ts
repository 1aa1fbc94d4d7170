import {
  filterWords,
  formatVersion,
  headerWords,
  magic,
  noRank,
  rankBits,
  sectionWord,
  sectionNumbers,
  type LayoutSection,
  stampWord,
  longestTokenBytes,
  makeFilterBits,
  finishHash,
  hashShort,
  hashWord,
  findSlot,
} from "#tokens/tokenizer/vocabulary-layout.ts";
import { makeLeaderBit, makeFollowerBit } from "#tokens/tokenizer/merge.ts";

const fillShare = 0.8;

export function packVocabulary(
  tokens: readonly Uint8Array[],
  unicode: { blocks: Uint8Array; classes: Uint8Array },
  stamp: Uint8Array,
): Uint8Array {
  checkTokens(tokens);
  const filter = new Int32Array(filterWords);
  const sections: Record<LayoutSection, ArrayBufferView> = {
    ...unicode,
    byteRanks: makeByteRanks(tokens),
    bytePairs: makeBytePairs(tokens),
    neighbours: makeNeighbours(tokens),
    filter,
    short: makeShortTable(tokens, filter),
    ...makeLongTables(tokens, filter),
  };
  return assemble(sections, tokens.length, stamp);
}

function checkTokens(tokens: readonly Uint8Array[]): void {
  const longest = Math.max(...tokens.map((token) => token.length));
  if (longest > longestTokenBytes) throw new Error(`A token has ${longest} bytes, at most 128 fit`);
  if (tokens.length > noRank) throw new Error(`${tokens.length} tokens do not fit`);
}

function makeByteRanks(tokens: readonly Uint8Array[]): Int32Array {
  const ranks = new Int32Array(256);
  for (const [rank, token] of tokens.entries()) {
    if (token.length === 1) ranks[token[0] ?? 0] = rank;
  }
  return ranks;
}

/** Tokens are in the order of their ranks, so the first one that contains two bytes has the lowest rank. */
function makeBytePairs(tokens: readonly Uint8Array[]): Int32Array {
  const pairs = new Int32Array(65536 * 2).fill(noRank);
  for (const [rank, token] of tokens.entries()) {
    for (let at = 1; at < token.length; at++) {
      const pair = ((token[at - 1] ?? 0) | ((token[at] ?? 0) << 8)) * 2;
      if (token.length === 2) pairs[pair] = rank;
      pairs[pair + 1] = Math.min(pairs[pair + 1] ?? noRank, rank);
    }
  }
  return pairs;
}

function makeNeighbours(tokens: readonly Uint8Array[]): Int32Array {
  const texts = tokens.map((token) => Buffer.from(token).toString("latin1"));
  const ranks = new Map(texts.map((text, rank) => [text, rank]));
  const bits = new Int32Array(tokens.length);
  for (const text of texts) {
    for (let at = 1; at < text.length; at++) {
      const left = ranks.get(text.slice(0, at));
      const right = ranks.get(text.slice(at));
      if (left !== undefined) bits[left] = (bits[left] ?? 0) | makeFollowerBit(text.charCodeAt(at));
      if (right !== undefined)
        bits[right] = (bits[right] ?? 0) | makeLeaderBit(text.charCodeAt(at - 1));
    }
  }
  return bits;
}

function readWord(token: Uint8Array, index: number): number {
  const at = index * 4;
  const [a = 0, b = 0, c = 0, d = 0] = token.subarray(at, at + 4);
  return a | (b << 8) | (c << 16) | (d << 24);
}

function makeShortTable(tokens: readonly Uint8Array[], filter: Int32Array): Int32Array {
  const short = [...tokens.entries()].filter(([, token]) => token.length <= 8);
  const { slots, mask, factor } = chooseSize(short.length);
  const table = new Int32Array(slots * 3);
  for (const [rank, token] of short) {
    const low = readWord(token, 0);
    const high = readWord(token, 1);
    const hash = hashShort(low, high, token.length);
    markInFilter(filter, hash);
    let slot = findSlot(hash, mask, factor);
    while (table[slot * 3 + 2] !== 0) slot = (slot + 1) % slots;
    table.set([low, high, rank | (token.length << rankBits)], slot * 3);
  }
  return table;
}

function makeLongTables(
  tokens: readonly Uint8Array[],
  filter: Int32Array,
): { long: Int32Array; pool: Int32Array } {
  const entries = [...tokens.entries()].filter(([, token]) => token.length > 8);
  const { slots, mask, factor } = chooseSize(entries.length);
  const long = new Int32Array(slots);
  const pool: number[] = [];
  for (const [rank, token] of entries) {
    const offset = pool.length;
    pool.push(rank | (token.length << rankBits));
    let hash = token.length;
    for (let index = 0; index * 4 < token.length; index++) {
      pool.push(readWord(token, index));
      hash = hashWord(hash, readWord(token, index));
    }
    hash = finishHash(hash);
    markInFilter(filter, hash);
    let slot = findSlot(hash, mask, factor);
    while (long[slot] !== 0) slot = (slot + 1) % slots;
    long[slot] = (offset + 1) | ((hash >>> rankBits) << rankBits);
  }
  if (pool.length >= 2 ** rankBits) throw new Error(`${pool.length} words of tokens do not fit`);
  return { long, pool: Int32Array.from(pool) };
}

function markInFilter(filter: Int32Array, hash: number): void {
  filter[hash >>> 16] = (filter[hash >>> 16] ?? 0) | makeFilterBits(hash);
}

function chooseSize(count: number): { slots: number; mask: number; factor: number } {
  const sizes = [1, 3, 5, 7].map((factor) => {
    const power = 2 ** Math.ceil(Math.log2(count / fillShare / factor));
    return { slots: power * factor, mask: power - 1, factor };
  });
  return sizes.reduce((best, size) => (size.slots < best.slots ? size : best));
}

function assemble(
  sections: Record<LayoutSection, ArrayBufferView>,
  tokenCount: number,
  stamp: Uint8Array,
): Uint8Array {
  const names = Object.keys(sectionNumbers) as LayoutSection[];
  const sizes = names.map((name) => Math.ceil(sections[name].byteLength / 4) * 4);
  const file = new Uint8Array(headerWords * 4 + sizes.reduce((sum, size) => sum + size, 0));
  const header = new Uint32Array(file.buffer, 0, headerWords);
  header.set([magic, formatVersion, tokenCount]);
  file.set(stamp, stampWord * 4);
  let offset = headerWords * 4;
  for (const name of names) {
    const { buffer, byteOffset, byteLength } = sections[name];
    file.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    header.set([offset, byteLength], sectionWord + sectionNumbers[name] * 2);
    offset += Math.ceil(byteLength / 4) * 4;
  }
  return file;
}
