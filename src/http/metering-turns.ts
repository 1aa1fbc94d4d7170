import { meteredTogetherMin, meteredTogetherShare, meteringDelayMs } from "#limits/http.ts";

/** When exchanges are metered that have passed. */
export type MeteringTurns = {
  /** Resolves at the next turn, which comes after the bytes that were handed over have left. */
  wait(): Promise<void>;
  /** True where other messages may pass before. */
  readonly isLate: boolean;
};

/** For messages whose sums decide about the next ones. */
export const turnsAtOnce: MeteringTurns = { wait: nextTurn, isLate: false };

/**
 * Some moments later, several in a row, which takes half of the processor time of each by itself between two messages. No
 * message waits for more than a few of them (docs/adr/0331-metering-in-a-row.md).
 */
export class LateTurns implements MeteringTurns {
  readonly isLate = true;
  #waiting: (() => void)[] = [];

  /** Those that waited longer go first. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setTimeout(() => this.#turn(), meteringDelayMs);
    });
  }

  #turn(): void {
    const all = this.#waiting;
    const count = Math.max(meteredTogetherMin, Math.ceil(all.length * meteredTogetherShare));
    const next = all.slice(0, count);
    this.#waiting = all.slice(count);
    for (const go of next) go();
    // Messages that came meanwhile are forwarded before.
    if (this.#waiting.length > 0) setImmediate(() => this.#turn());
  }
}

/** Bytes that were handed over leave at the end of a turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
