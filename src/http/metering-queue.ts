import type { MeteringTurns } from "./metering-turns.ts";

/** The metering of the messages that have passed in one conversation, in the order in which they did. */
export class MeteringQueue {
  readonly #waiting: (() => Promise<void>)[] = [];
  #added = 0;
  #done = 0;
  /** All up to this place should be done. */
  #wanted = 0;
  #running: Promise<void> | undefined;

  /** Does a part at the next turn, or before any message that passes after it. */
  async runLater(turns: MeteringTurns, part: () => Promise<void>): Promise<void> {
    const place = this.add(part);
    await turns.wait();
    await this.run(place);
  }

  /** Adds a part, which must not reject, nor wait for this queue; returns its place. */
  add(part: () => Promise<void>): number {
    this.#waiting.push(part);
    this.#added += 1;
    return this.#added;
  }

  /** Does all up to a place, or all that waits; undefined where that is done. */
  run(place: number = this.#added): Promise<void> | undefined {
    if (place <= this.#done) return this.#running;
    this.#wanted = Math.max(this.#wanted, place);
    this.#running ??= this.#runOn();
    return this.#running;
  }

  async #runOn(): Promise<void> {
    while (this.#done < this.#wanted) {
      const part = this.#waiting.shift();
      this.#done += 1;
      await part?.();
    }
    this.#running = undefined;
  }
}
