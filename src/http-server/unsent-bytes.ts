import { joinedAnswerBytesMax } from "#limits/http.ts";
import { joinBytes } from "#wire/bytes.ts";

/** The bytes for a socket that it has not taken. */
export class UnsentBytes {
  readonly #send: (bytes: Uint8Array) => number;
  #waiting: Uint8Array[] = [];
  #drained: PromiseWithResolvers<void> | undefined;

  /** `send` returns how many bytes the socket has taken; less than one where it is closed. */
  constructor(send: (bytes: Uint8Array) => number) {
    this.#send = send;
  }

  /** Sends bytes behind those that wait; a promise where not all of them were taken, which resolves when they are. */
  push(pieces: readonly Uint8Array[]): Promise<void> | undefined {
    this.#waiting.push(...joined(pieces));
    if (!this.#drained) this.flush();
    if (this.#waiting.length === 0) return undefined;
    this.#drained ??= Promise.withResolvers();
    return this.#drained.promise;
  }

  /** The socket takes more. */
  flush(): void {
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const sent = Math.max(0, this.#send(first));
      if (sent < first.length) {
        this.#waiting[0] = first.subarray(sent);
        return;
      }
      this.#waiting.shift();
    }
    this.#resolve();
  }

  /** The socket is closed: nothing more is sent. */
  drop(): void {
    this.#waiting = [];
    this.#resolve();
  }

  #resolve(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}

/** Short pieces as one: each write takes longer than its bytes. */
function joined(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  if (pieces.length < 2) return pieces;
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return size <= joinedAnswerBytesMax ? [joinBytes(pieces)] : pieces;
}
