/** For a text that takes long to make, such as a fold of all records: made once for all who ask meanwhile, and kept for some time. */
export class KeptText {
  readonly #make: () => Promise<string>;
  readonly #keptMs: number;
  readonly #now: () => number;
  #text: Promise<string> | undefined;
  #madeMs = -Infinity;

  constructor(make: () => Promise<string>, keptMs: number, now: () => number = Date.now) {
    this.#make = make;
    this.#keptMs = keptMs;
    this.#now = now;
  }

  async get(): Promise<string> {
    if (!this.#text || this.#now() - this.#madeMs >= this.#keptMs) {
      this.#madeMs = Infinity;
      this.#text = this.#makeNow();
    }
    return this.#text;
  }

  async #makeNow(): Promise<string> {
    try {
      const text = await this.#make();
      this.#madeMs = this.#now();
      return text;
    } catch (error) {
      this.#text = undefined;
      throw error;
    }
  }
}
