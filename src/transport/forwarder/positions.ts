/** In units modulo 2^32. One thread writes and one reads. Records are contiguous: one that does not fit before the end of the store begins at its start. */
export class Positions {
  readonly #words: Int32Array;
  readonly #head: number;
  readonly #tail: number;
  readonly #capacity: number;

  /** `capacity` is a power of two, in units. */
  constructor(words: Int32Array, head: number, tail: number, capacity: number) {
    this.#words = words;
    this.#head = head;
    this.#tail = tail;
    this.#capacity = capacity;
  }

  get used(): number {
    return (Atomics.load(this.#words, this.#head) - Atomics.load(this.#words, this.#tail)) | 0;
  }

  get writeUnit(): number {
    return Atomics.load(this.#words, this.#head) & (this.#capacity - 1);
  }

  get readUnit(): number {
    return Atomics.load(this.#words, this.#tail) & (this.#capacity - 1);
  }

  untilEnd(unit: number): number {
    return this.#capacity - unit;
  }

  hasRoom(units: number): boolean {
    const rest = this.untilEnd(this.writeUnit);
    const needed = units <= rest ? units : rest + units;
    return this.used + needed <= this.#capacity;
  }

  wrote(units: number): void {
    Atomics.store(this.#words, this.#head, (Atomics.load(this.#words, this.#head) + units) | 0);
  }

  read(units: number): void {
    Atomics.store(this.#words, this.#tail, (Atomics.load(this.#words, this.#tail) + units) | 0);
  }
}
