/** Milliseconds for which the reading of one answer may keep others waiting. */
export const sliceMaxMs = 2;

// Forwarded, not metered; beyond it the rest of the answer waits too.
export const unreadBytesMax = 1024 * 1024;

/** Bytes of an answer that are read in one step: at the rate of the slowest, one takes some milliseconds. */
const pieceBytesMax = 8 * 1024;

export class ForwardedChunks {
  readonly #read: (chunk: Uint8Array) => Promise<void>;
  #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #reading: Promise<void> | undefined;

  /** `read` must not reject. */
  constructor(read: (chunk: Uint8Array) => Promise<void>) {
    this.#read = read;
  }

  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  push(chunk: Uint8Array): Promise<void> | undefined {
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    this.#reading ??= this.#readOn();
    return this.#unreadBytes > unreadBytesMax ? this.#reading : undefined;
  }

  async #readOn(): Promise<void> {
    await nextTurn();
    for await (const piece of inTurns(this.#taken())) await this.#read(piece);
    this.#reading = undefined;
  }

  *#taken(): Generator<Uint8Array, void, undefined> {
    while (this.#unread.length > 0) {
      for (const chunk of this.#unread.splice(0)) {
        yield chunk;
        this.#unreadBytes -= chunk.length;
      }
    }
  }
}

/** Bytes that were handed over leave at the end of a turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The promise of the last one that waits for a turn: each has one of its own. */
let lastTurn = Promise.resolve();

/** The same bytes in pieces; others have their turn when those before took too long. */
export async function* inTurns(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let sinceMs = performance.now();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytesMax) {
      if (performance.now() - sinceMs > sliceMaxMs) {
        lastTurn = lastTurn.then(nextTurn);
        await lastTurn;
        sinceMs = performance.now();
      }
      yield chunk.subarray(at, at + pieceBytesMax);
    }
  }
}
