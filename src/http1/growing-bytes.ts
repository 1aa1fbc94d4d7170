/** Bytes that come in pieces, in one array whose room doubles: pieces of a byte take no more memory than one of all. */
export class GrowingBytes {
  readonly #bytesMax: number;
  #room = new Uint8Array();
  #size = 0;

  /** No room is taken for more than `bytesMax` bytes before they come. */
  constructor(bytesMax = Infinity) {
    this.#bytesMax = bytesMax;
  }

  get size(): number {
    return this.#size;
  }

  /** A view of all bytes so far, until the next ones come. */
  get all(): Uint8Array {
    return this.#room.subarray(0, this.#size);
  }

  push(bytes: Uint8Array): void {
    const size = this.#size + bytes.length;
    if (size > this.#room.length) {
      const room = Math.max(size, Math.min(2 * size, this.#bytesMax));
      // The old memory is given back at once. Left to the collector, it would be as long as the body.
      this.#room = new Uint8Array(this.#room.buffer.transfer(room));
    }
    this.#room.set(bytes, this.#size);
    this.#size = size;
  }

  /** All bytes; the next ones begin again. */
  take(): Uint8Array {
    const { all } = this;
    this.#room = new Uint8Array();
    this.#size = 0;
    return all;
  }
}
