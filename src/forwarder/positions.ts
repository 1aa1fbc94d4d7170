/**
 * Where a circular store is written next and read next, in units that are counted modulo 2^32. One thread
 * writes and one reads. Records are contiguous: a record that does not fit before the end of the store begins at its start.
 */
export class Positions {
  readonly #words: Int32Array;
  readonly #head: number;
  readonly #tail: number;
  readonly #capacity: number;

  /** `head` and `tail` are the words of the positions; `capacity` is a power of two, in units. */
  constructor(words: Int32Array, head: number, tail: number, capacity: number) {
    this.#words = words;
    this.#head = head;
    this.#tail = tail;
    this.#capacity = capacity;
  }

  /** Units written and not read, skipped ones included. */
  get used(): number {
    return (Atomics.load(this.#words, this.#head) - Atomics.load(this.#words, this.#tail)) | 0;
  }

  /** The unit at which the writer is, and how many are left up to the end of the store. */
  get writeUnit(): number {
    return Atomics.load(this.#words, this.#head) & (this.#capacity - 1);
  }

  /** The unit at which the reader is. */
  get readUnit(): number {
    return Atomics.load(this.#words, this.#tail) & (this.#capacity - 1);
  }

  /** Units from there up to the end of the store. */
  untilEnd(unit: number): number {
    return this.#capacity - unit;
  }

  /** True when a record of that number of units has room, at the writer's unit or after a skip at the start. */
  hasRoom(units: number): boolean {
    const rest = this.untilEnd(this.writeUnit);
    const needed = units <= rest ? units : rest + units;
    return this.used + needed <= this.#capacity;
  }

  /** The writer has written that number of units: from now on the reader may read them. */
  wrote(units: number): void {
    Atomics.store(this.#words, this.#head, (Atomics.load(this.#words, this.#head) + units) | 0);
  }

  /** The reader has read that number of units: from now on the writer may overwrite them. */
  read(units: number): void {
    Atomics.store(this.#words, this.#tail, (Atomics.load(this.#words, this.#tail) + units) | 0);
  }
}
