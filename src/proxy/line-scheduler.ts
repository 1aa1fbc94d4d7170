import { unprocessedBytesMax } from "#limits/forwarding.ts";
import type { Side } from "#wire/side.ts";
import { Turn } from "./turn.ts";

/** Bytes of deferred lines: their side, and how many were forwarded and are in memory until they are processed. */
type Forwarded = { readonly from: Side; readonly bytes: number };

/** The unprocessed bytes of one side, and the promise that they are few again. */
type Unprocessed = { bytes: number; caughtUp: PromiseWithResolvers<void> | undefined };

/**
 * Schedules the processing of lines that were already forwarded, for both directions of a session.
 *
 * Under load the next chunk is always ready, and promises alone never let the event loop turn: the other
 * direction, signals and the writing of records would wait. Long work therefore asks `shouldYield` and awaits
 * `nextTurn`. Without this, the loop turned 26 times during 400 000 messages.
 */
export class LineScheduler {
  readonly #turn: Turn;
  #lastTask: Promise<void> | undefined;
  /** By side: a flood of the server must not delay the client's requests. */
  readonly #unprocessed: Readonly<Record<Side, Unprocessed>> = {
    client: { bytes: 0, caughtUp: undefined },
    server: { bytes: 0, caughtUp: undefined },
  };

  constructor(turn: Turn = new Turn()) {
    this.#turn = turn;
  }

  /** True when the current turn of the event loop has lasted long enough. */
  get shouldYield(): boolean {
    return this.#turn.isLong;
  }

  /** True while deferred lines are being processed or wait for that. */
  get isBusy(): boolean {
    return this.#lastTask !== undefined;
  }

  /**
   * A promise while more forwarded bytes of that side are unprocessed than the limit allows: its traffic must
   * wait until it resolves.
   */
  caughtUp(from: Side): Promise<void> | undefined {
    const unprocessed = this.#unprocessed[from];
    if (unprocessed.bytes <= unprocessedBytesMax) return undefined;
    unprocessed.caughtUp ??= Promise.withResolvers();
    return unprocessed.caughtUp.promise;
  }

  /** Resolves when all lines deferred so far are processed. */
  async idle(): Promise<void> {
    await this.#lastTask;
  }

  /**
   * Runs a task after all tasks that were deferred before it. Both directions share the queue, so an answer
   * is never processed before its question. `forwarded` is absent for lines that were not forwarded yet.
   */
  async defer(task: () => Promise<void>, forwarded?: Forwarded): Promise<void> {
    if (forwarded) this.#unprocessed[forwarded.from].bytes += forwarded.bytes;
    const before = this.#lastTask;
    const mine = (async () => {
      await before;
      await task();
    })();
    this.#lastTask = mine;
    try {
      await mine;
    } finally {
      if (forwarded) this.#processed(forwarded);
      if (this.#lastTask === mine) this.#lastTask = undefined;
    }
  }

  #processed({ from, bytes }: Forwarded): void {
    const unprocessed = this.#unprocessed[from];
    unprocessed.bytes -= bytes;
    if (unprocessed.bytes > unprocessedBytesMax) return;
    unprocessed.caughtUp?.resolve();
    unprocessed.caughtUp = undefined;
  }

  /** Resolves in the next turn of the event loop. */
  async nextTurn(): Promise<void> {
    await this.#turn.next();
  }
}
