import {
  checkpointBurstMax,
  checkpointDelayMs,
  checkpointLeavingPeriodMs,
  checkpointPeriodMs,
} from "#limits/records.ts";

/**
 * When a session is saved while it runs, so that a kill leaves all but its last moments: right after a record, from
 * time to time while many records come, and at once when the client says goodbye.
 */
export class Checkpoints {
  readonly #save: (isLeaving: boolean) => void;
  #savedMs = -Infinity;
  /** The time to which the checkpoints so far would have lasted, a period each. */
  #spentMs = -Infinity;
  #isLeaving = false;
  #timer: Timer | undefined;

  /** `save` is called with true once the client has said goodbye. */
  constructor(save: (isLeaving: boolean) => void) {
    this.#save = save;
  }

  /** There is something new to save. */
  note(): void {
    if (this.#timer) return;
    const dueMs = this.#isLeaving
      ? this.#savedMs + checkpointLeavingPeriodMs
      : this.#spentMs - (checkpointBurstMax - 1) * checkpointPeriodMs;
    const delayMs = Math.max(checkpointDelayMs, dueMs - performance.now());
    this.#timer = setTimeout(() => this.#run(), delayMs);
  }

  /** The client has closed its end, or sent a signal: saves at once, because a kill may follow. */
  goodbye(): void {
    this.#isLeaving = true;
    this.#run();
  }

  /** Nothing more is saved. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    this.stop();
    this.#save(this.#isLeaving);
    this.#savedMs = performance.now();
    this.#spentMs = Math.max(this.#spentMs, this.#savedMs) + checkpointPeriodMs;
  }
}
