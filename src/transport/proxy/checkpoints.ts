// A client may kill us 5 ms after its last answer.
export const checkpointDelayMs = 1;

// The first calls each get a checkpoint.
export const checkpointBurstMax = 16;

// Each checkpoint adds an `end` record, two thirds the size of a call's.
export const checkpointPeriodMs = 1_000;

// After the client's goodbye, when a kill is likely.
const checkpointLeavingPeriodMs = 50;

// Saves after a record, regularly under load, and when the client leaves, so that a kill loses little.
export class Checkpoints {
  readonly #save: (isLeaving: boolean) => void;
  #savedMs = -Infinity;
  #spentMs = -Infinity;
  #isLeaving = false;
  #timer: Timer | undefined;

  constructor(save: (isLeaving: boolean) => void) {
    this.#save = save;
  }

  note(): void {
    if (this.#timer) return;
    const dueMs = this.#isLeaving
      ? this.#savedMs + checkpointLeavingPeriodMs
      : this.#spentMs - (checkpointBurstMax - 1) * checkpointPeriodMs;
    const delayMs = Math.max(checkpointDelayMs, dueMs - performance.now());
    this.#timer = setTimeout(() => this.#run(), delayMs);
  }

  // The client closed its end or sent a signal: a kill may follow.
  goodbye(): void {
    this.#isLeaving = true;
    this.#run();
  }

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
