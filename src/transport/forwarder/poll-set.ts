import { addressOf, type CFunctions } from "#kit/os/c-library.ts";

const [readable, writable] = [1, 4];
const [error, hangUp, invalid] = [8, 16, 32];

export const pollEvent = { readable, writable, over: error | hangUp | invalid } as const;

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

  set(place: number, fd: number, events: number): void {
    this.#fields[place * 2] = events === 0 ? -1 : fd;
    this.#fields[place * 2 + 1] = events;
  }

  wait(timeoutMs: number): void {
    this.#c.poll(this.#address, this.#size, timeoutMs);
  }

  results(place: number): number {
    return this.#fields[place * 2] === -1 ? 0 : (this.#fields[place * 2 + 1] ?? 0) >>> 16;
  }
}
