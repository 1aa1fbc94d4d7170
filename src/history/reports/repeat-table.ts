// Limits memory: a slot takes 20 bytes, and a table has up to 2^21 slots.
export const tabledCallsMax = 1_000_000;

/** `cell` is the number of the cell or row in which the caller counts the call. */
type TabledCall = { readonly seq: number; readonly tokens: number; readonly cell: number };

const initialSlots = 16;

const maxStored = 0xffff_ffff;

// A key and its call are adjacent, so both are usually in one cache line.
const slotWords = 5;
const [highWord, lowWord, seqWord, tokensWord, cellWord] = [0, 1, 2, 3, 4];

export class RepeatRoom {
  #size = 0;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  reserve(): boolean {
    const hasRoom = this.#size < tabledCallsMax;
    if (hasRoom) this.#size += 1;
    return hasRoom;
  }

  leaveOut(): undefined {
    this.#leftOut += 1;
  }
}

/**
 * Finds the repeats in one session. One table for all sessions would miss CPU caches, and objects would take far more
 * memory than numbers.
 */
export class RepeatTable {
  readonly #room: RepeatRoom;
  #slots = initialSlots;
  // In `cellWord`, 0 marks a free slot, so cells are stored plus 1.
  #words = new Uint32Array(initialSlots * slotWords);
  #size = 0;

  constructor(room: RepeatRoom) {
    this.#room = room;
  }

  /** If the table has an equal call, returns the later of the two: the one with the higher `seq`. */
  add(group: number, hash: string, call: TabledCall): TabledCall | undefined {
    if (call.seq > maxStored || call.tokens > maxStored) return this.#room.leaveOut();
    const high = parseEightHexDigits(hash, 0);
    const low = (parseEightHexDigits(hash, 8) ^ Math.imul(group, 0x9e37_79b1)) >>> 0;
    const at = this.#find(high, low);
    if (this.#words[at + cellWord] === 0) return this.#insert(at, [high, low], call);
    const known = this.#readCall(at);
    if (call.seq >= known.seq) return call;
    this.#put(at, call);
    return known;
  }

  #insert(at: number, [high, low]: readonly [number, number], call: TabledCall): undefined {
    if (!this.#room.reserve()) return this.#room.leaveOut();
    this.#words[at + highWord] = high;
    this.#words[at + lowWord] = low;
    this.#put(at, call);
    this.#size += 1;
    if (this.#size > this.#slots * 0.7) this.#grow();
  }

  #put(at: number, { seq, tokens, cell }: TabledCall): void {
    this.#words[at + seqWord] = seq;
    this.#words[at + tokensWord] = tokens;
    this.#words[at + cellWord] = cell + 1;
  }

  #readCall(at: number): TabledCall {
    const words = this.#words;
    return {
      seq: words[at + seqWord] ?? 0,
      tokens: words[at + tokensWord] ?? 0,
      cell: (words[at + cellWord] ?? 0) - 1,
    };
  }

  #find(high: number, low: number): number {
    const words = this.#words;
    const last = this.#slots - 1;
    let slot = (high ^ low) & last;
    for (;;) {
      const at = slot * slotWords;
      const isFree = words[at + cellWord] === 0;
      if (isFree || (words[at + highWord] === high && words[at + lowWord] === low)) return at;
      slot = (slot + 1) & last;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#slots *= 2;
    this.#words = new Uint32Array(this.#slots * slotWords);
    for (let from = 0; from < old.length; from += slotWords) {
      if (old[from + cellWord] === 0) continue;
      const at = this.#find(old[from + highWord] ?? 0, old[from + lowWord] ?? 0);
      // Copied word by word: a subarray for each slot would be most of the garbage that a report leaves in memory.
      for (let word = 0; word < slotWords; word += 1) {
        this.#words[at + word] = old[from + word] ?? 0;
      }
    }
  }
}

export function parseEightHexDigits(hash: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + 8; at += 1) {
    const code = hash.charCodeAt(at);
    number = number * 16 + (code < letterA ? code - digitZero : code - letterA + 10);
  }
  return number;
}

const [digitZero, letterA] = [0x30, 0x61];
