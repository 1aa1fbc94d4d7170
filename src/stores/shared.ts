import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sentences } from "#errors.ts";
import { type Hold, MemoryCounters, type Counter, type CounterStore } from "#budgets/counter.ts";
import { SqliteCounters, renewEveryMs } from "./sqlite.ts";
import { codeOf } from "#os/system-error.ts";

/** File name of the counters in the state directory. */
export const counterFile = "counters.sqlite";

/**
 * The counters all meters of a user share, or this session's own when the file cannot be opened or fails:
 * told once, and calls go on being held to what this session spends.
 */
export class SharedCounters implements CounterStore {
  readonly #tell: (sentence: string) => void;
  #book: CounterStore;
  #store: SqliteCounters | undefined;
  #renewal: Timer | undefined;

  /** `folder` is the state directory, undefined when there is none. */
  constructor(folder: string | undefined, holder: string, tell: (sentence: string) => void) {
    this.#tell = tell;
    this.#book = new MemoryCounters();
    try {
      if (folder === undefined) throw new Error("there is no state directory");
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#store = new SqliteCounters(join(folder, counterFile), holder);
      this.#book = this.#store;
      this.#renewal = setInterval(() => this.#try(() => this.#store?.renew()), renewEveryMs);
      this.#renewal.unref();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    return this.#try(() => this.#book.hold(counter, amount, nowMs, isForced));
  }

  resize(hold: Hold, amount: number, nowMs: number, isForced: boolean, isSpent = false): boolean {
    return this.#try(() => this.#book.resize(hold, amount, nowMs, isForced, isSpent));
  }

  settle(hold: Hold, amount: number): void {
    this.#try(() => this.#book.settle(hold, amount));
  }

  release(hold: Hold): void {
    this.#try(() => this.#book.release(hold));
  }

  taken(counter: Counter, nowMs: number): number {
    return this.#try(() => this.#book.taken(counter, nowMs));
  }

  close(): void {
    clearInterval(this.#renewal);
    this.#try(() => this.#store?.close());
  }

  /** Does it in the store, and once more in memory when the store fails. */
  #try<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      if (!this.#store) throw error;
      this.#giveUp(error);
      return act();
    }
  }

  #giveUp(error: unknown): void {
    const known = [...(this.#store?.known.values() ?? [])];
    this.#store = undefined;
    clearInterval(this.#renewal);
    this.#book = new MemoryCounters();
    // What was taken of a counter as far as we know stays taken; holds of ours are part of it.
    for (const { counter, nowMs, taken } of known) {
      const hold = this.#book.hold(counter, taken, nowMs, true);
      if (hold) this.#book.settle(hold, taken);
    }
    this.#tell(sentences.counterStoreFailed(codeOf(error)));
  }
}
