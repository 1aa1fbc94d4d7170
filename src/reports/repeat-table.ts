import { repeatsTabledMax } from "#limits.ts";

/** One call of a group: its place in the session, its tokens and the number of the cell that counts it. */
type Repeatable = { readonly seq: number; readonly tokens: number; readonly cell: number };

const firstSlots = 1024;
/** The largest number that the arrays hold. */
const largest = 0xffff_ffff;

/**
 * Finds calls of one group (tool and session) with equal arguments, in any order: all but the first by sequence are
 * repeats. Holds 20 bytes and 64 bits of a hash for each distinct call, in arrays: a million objects would take far more.
 */
export class RepeatTable {
  #slots = firstSlots;
  #high = new Uint32Array(firstSlots);
  #low = new Uint32Array(firstSlots);
  #seqs = new Uint32Array(firstSlots);
  #tokens = new Uint32Array(firstSlots);
  /** The cell plus 1; 0 is a free slot. */
  #cells = new Uint32Array(firstSlots);
  #size = 0;
  #leftOut = 0;

  /** Calls that could not be compared because there was no room for them. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * Adds a call by its group and the SHA-256 of its arguments. Returns the one that is a repeat by this: the later one of
   * two, which may have been added earlier; undefined for the first of its kind.
   */
  add(group: number, hash: string, call: Repeatable): Repeatable | undefined {
    const high = parseInt(hash.slice(0, 8), 16);
    if (call.seq > largest || call.tokens > largest) return this.#leaveOut();
    // Equal arguments of another group are another key.
    const low = (parseInt(hash.slice(8, 16), 16) ^ Math.imul(group, 0x9e37_79b1)) >>> 0;
    const at = this.#find(high, low);
    if ((this.#cells[at] ?? 0) === 0) return this.#insert(at, [high, low], call);
    const known = this.#callAt(at);
    if (call.seq >= known.seq) return call;
    this.#put(at, call);
    return known;
  }

  #insert(at: number, [high, low]: readonly [number, number], call: Repeatable): undefined {
    if (this.#size >= repeatsTabledMax) return this.#leaveOut();
    this.#high[at] = high;
    this.#low[at] = low;
    this.#put(at, call);
    this.#size += 1;
    if (this.#size > this.#slots * 0.7) this.#grow();
  }

  #leaveOut(): undefined {
    this.#leftOut += 1;
  }

  #put(at: number, { seq, tokens, cell }: Repeatable): void {
    this.#seqs[at] = seq;
    this.#tokens[at] = tokens;
    this.#cells[at] = cell + 1;
  }

  #callAt(at: number): Repeatable {
    return {
      seq: this.#seqs[at] ?? 0,
      tokens: this.#tokens[at] ?? 0,
      cell: (this.#cells[at] ?? 0) - 1,
    };
  }

  /** The slot of a key, or the free one where it belongs. */
  #find(high: number, low: number): number {
    const last = this.#slots - 1;
    let at = (high ^ low) & last;
    while (this.#cells[at] !== 0 && (this.#high[at] !== high || this.#low[at] !== low)) {
      at = (at + 1) & last;
    }
    return at;
  }

  #grow(): void {
    const old = {
      high: this.#high,
      low: this.#low,
      seqs: this.#seqs,
      tokens: this.#tokens,
      cells: this.#cells,
    };
    this.#slots *= 2;
    this.#high = new Uint32Array(this.#slots);
    this.#low = new Uint32Array(this.#slots);
    this.#seqs = new Uint32Array(this.#slots);
    this.#tokens = new Uint32Array(this.#slots);
    this.#cells = new Uint32Array(this.#slots);
    for (let from = 0; from < old.cells.length; from += 1) {
      const cell = old.cells[from] ?? 0;
      if (cell === 0) continue;
      const [high, low] = [old.high[from] ?? 0, old.low[from] ?? 0];
      const at = this.#find(high, low);
      this.#high[at] = high;
      this.#low[at] = low;
      this.#put(at, {
        seq: old.seqs[from] ?? 0,
        tokens: old.tokens[from] ?? 0,
        cell: cell - 1,
      });
    }
  }
}
