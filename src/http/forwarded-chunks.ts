import { freeBytes } from "#http1/free-bytes.ts";
import { unreadBytesMax } from "#limits/http.ts";
import { nextTurn } from "./metering-turns.ts";

/** The chunks of an answer that were forwarded and are read afterwards, in their order. */
export class ForwardedChunks {
  readonly #read: (chunk: Uint8Array) => Promise<boolean>;
  /** Those that were sent or read, and not yet both. */
  readonly #halfDone = new WeakSet<Uint8Array>();
  #unread: Uint8Array[] = [];
  #unreadBytes = 0;
  #reading: Promise<void> | undefined;

  /** `read` resolves to true where nothing of the chunk is kept; it must not reject. */
  constructor(read: (chunk: Uint8Array) => Promise<boolean>) {
    this.#read = read;
  }

  /** Resolves when all of them are read; undefined where none waits. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  /** Takes the next one. A promise where so much waits that the answer should wait too. */
  push(chunk: Uint8Array): Promise<void> | undefined {
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    this.#reading ??= this.#readOn();
    return this.#unreadBytes > unreadBytesMax ? this.#reading : undefined;
  }

  /** The system has taken all of a chunk. */
  sent(chunk: Uint8Array): void {
    this.#done(chunk);
  }

  #done(chunk: Uint8Array): void {
    if (this.#halfDone.delete(chunk)) freeBytes(chunk);
    else this.#halfDone.add(chunk);
  }

  async #readOn(): Promise<void> {
    await nextTurn();
    for (let chunk = this.#unread.shift(); chunk; chunk = this.#unread.shift()) {
      this.#unreadBytes -= chunk.length;
      if (await this.#read(chunk)) this.#done(chunk);
    }
    this.#reading = undefined;
  }
}
