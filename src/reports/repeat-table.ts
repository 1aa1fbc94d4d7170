import { repeatsTabledMax } from "#limits/records.ts";

/** One call of a group: its place in the session, its tokens and the number of the cell that counts it. */
type Repeatable = { readonly seq: number; readonly tokens: number; readonly cell: number };

const firstSlots = 16;

/** The largest number that the table holds. */
const largest = 0xffff_ffff;

/** Words of a slot: the two halves of its key, then the call. They are together, because memory is read in lines. */
const slotWords = 5;
const [highWord, lowWord, seqWord, tokensWord, cellWord] = [0, 1, 2, 3, 4];

/** The room that the tables of all sessions share. */
export class RepeatRoom {
  #size = 0;
  #leftOut = 0;

  /** Calls that could not be compared because there was no room for them. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** True when there is room for one more distinct call. */
  take(): boolean {
    const hasRoom = this.#size < repeatsTabledMax;
    if (hasRoom) this.#size += 1;
    return hasRoom;
  }

  leaveOut(): undefined {
    this.#leftOut += 1;
  }
}

/**
 * Finds calls of one session with equal arguments, in any order: of each group, such as a tool, all but the first by
 * sequence are repeats. Holds 20 bytes for each distinct call, 8 of them a hash: a million objects would take far more,
 * and one table of all sessions would miss the caches of the processor at each call.
 */
export class RepeatTable {
  readonly #room: RepeatRoom;
  #slots = firstSlots;
  /** A slot whose cell is 0 is free; any other number is the cell plus 1. */
  #words = new Uint32Array(firstSlots * slotWords);
  #size = 0;

  constructor(room: RepeatRoom) {
    this.#room = room;
  }

  /**
   * Adds a call by its group and the SHA-256 of its arguments. Returns the one that is a repeat by this: the later one of
   * two, which may have been added earlier; undefined for the first of its kind.
   */
  add(group: number, hash: string, call: Repeatable): Repeatable | undefined {
    if (call.seq > largest || call.tokens > largest) return this.#room.leaveOut();
    const high = eightDigits(hash, 0);
    // Equal arguments of another group are another key.
    const low = (eightDigits(hash, 8) ^ Math.imul(group, 0x9e37_79b1)) >>> 0;
    const at = this.#find(high, low);
    if (this.#words[at + cellWord] === 0) return this.#insert(at, [high, low], call);
    const known = this.#callAt(at);
    if (call.seq >= known.seq) return call;
    this.#put(at, call);
    return known;
  }

  #insert(at: number, [high, low]: readonly [number, number], call: Repeatable): undefined {
    if (!this.#room.take()) return this.#room.leaveOut();
    this.#words[at + highWord] = high;
    this.#words[at + lowWord] = low;
    this.#put(at, call);
    this.#size += 1;
    if (this.#size > this.#slots * 0.7) this.#grow();
  }

  #put(at: number, { seq, tokens, cell }: Repeatable): void {
    this.#words[at + seqWord] = seq;
    this.#words[at + tokensWord] = tokens;
    this.#words[at + cellWord] = cell + 1;
  }

  #callAt(at: number): Repeatable {
    const words = this.#words;
    return {
      seq: words[at + seqWord] ?? 0,
      tokens: words[at + tokensWord] ?? 0,
      cell: (words[at + cellWord] ?? 0) - 1,
    };
  }

  /** The first word of the slot of a key, or of the free one where it belongs. */
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
      // A view of the old words for each slot would be most of the garbage of a report.
      for (let word = 0; word < slotWords; word += 1) {
        this.#words[at + word] = old[from + word] ?? 0;
      }
    }
  }
}

/** Eight lower-case hexadecimal digits as a number; a third of the time of parseInt. */
export function eightDigits(hash: string, from: number): number {
  let number = 0;
  for (let at = from; at < from + 8; at += 1) {
    const code = hash.charCodeAt(at);
    number = number * 16 + (code < letterA ? code - digitZero : code - letterA + 10);
  }
  return number;
}

const [digitZero, letterA] = [0x30, 0x61];
