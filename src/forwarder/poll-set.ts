import { addressOf, type CFunctions } from "#os/c-library.ts";

/** `POLLIN` and `POLLOUT` of Linux, and the results that mean an end or an error. */
const [readable, writable] = [1, 4];
const [error, hangUp, invalid] = [8, 16, 32];

/** Events to wait for, and their results. */
export const pollEvent = { readable, writable, over: error | hangUp | invalid } as const;

/** A set of descriptors to wait for, in the form of C's `struct pollfd`: the descriptor, then events and results. */
export class PollSet {
  readonly #c: Pick<CFunctions, "poll">;
  readonly #fields: Int32Array;
  readonly #address: number;
  readonly #size: number;

  constructor(c: Pick<CFunctions, "poll">, size: number) {
    this.#c = c;
    this.#size = size;
    this.#fields = new Int32Array(size * 2);
    this.#address = addressOf(this.#fields);
  }

  /** Waits for events of a descriptor; with events of 0 the place is ignored. */
  set(place: number, fd: number, events: number): void {
    this.#fields[place * 2] = events === 0 ? -1 : fd;
    this.#fields[place * 2 + 1] = events;
  }

  /** Waits until something has happened, at most `timeoutMs`, without limit for -1; a signal ends it too. */
  wait(timeoutMs: number): void {
    this.#c.poll(this.#address, this.#size, timeoutMs);
  }

  /** The results of a descriptor. */
  results(place: number): number {
    return this.#fields[place * 2] === -1 ? 0 : (this.#fields[place * 2 + 1] ?? 0) >>> 16;
  }
}
