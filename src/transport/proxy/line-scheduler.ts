import type { Side } from "#wire/message.ts";
import { Turn } from "./turn.ts";

// Beyond it, that side waits. Ten thousand calls are 3 MB.
export const unprocessedBytesMax = 4 * 1024 * 1024;

type Forwarded = { readonly from: Side; readonly bytes: number };

type Unprocessed = { bytes: number; caughtUp: PromiseWithResolvers<void> | undefined };

// Under load, promises alone starve the event loop (26 turns in 400,000 messages), so long work must
// check `shouldYield`.
export class LineScheduler {
  readonly #turn: Turn;
  #lastTask: Promise<void> | undefined;
  // Per side: a flood from the server must not delay the client's requests.
  readonly #unprocessed: Readonly<Record<Side, Unprocessed>> = {
    client: { bytes: 0, caughtUp: undefined },
    server: { bytes: 0, caughtUp: undefined },
  };

  constructor(turn: Turn = new Turn()) {
    this.#turn = turn;
  }

  get shouldYield(): boolean {
    return this.#turn.isLong;
  }

  get isBusy(): boolean {
    return this.#lastTask !== undefined;
  }

  // Set beyond the limit: the side's traffic must wait for it.
  caughtUp(from: Side): Promise<void> | undefined {
    const unprocessed = this.#unprocessed[from];
    if (unprocessed.bytes <= unprocessedBytesMax) return undefined;
    unprocessed.caughtUp ??= Promise.withResolvers();
    return unprocessed.caughtUp.promise;
  }

  async idle(): Promise<void> {
    await this.#lastTask;
  }

  // Both directions share the queue, so an answer never precedes its request. `forwarded` is absent for
  // lines not yet forwarded.
  async defer(task: () => Promise<void>, forwarded?: Forwarded): Promise<void> {
    if (forwarded) this.#unprocessed[forwarded.from].bytes += forwarded.bytes;
    const before = this.#lastTask;
    const current = (async () => {
      await before;
      await task();
    })();
    this.#lastTask = current;
    try {
      await current;
    } finally {
      if (forwarded) this.#processed(forwarded);
      if (this.#lastTask === current) this.#lastTask = undefined;
    }
  }

  #processed({ from, bytes }: Forwarded): void {
    const unprocessed = this.#unprocessed[from];
    unprocessed.bytes -= bytes;
    if (unprocessed.bytes > unprocessedBytesMax) return;
    unprocessed.caughtUp?.resolve();
    unprocessed.caughtUp = undefined;
  }

  async nextTurn(): Promise<void> {
    await this.#turn.next();
  }
}
