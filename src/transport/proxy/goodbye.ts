// The rest of 2 s when the server had to be killed.
export const unreadAfterSignalMaxMs = 150;

// Clients wait 2 s for the server to exit.
export const unreadAfterCloseMaxMs = 1_000;

/** Milliseconds from the goodbye, or from the server's exit, until what waits is no longer judged: clients kill after 2 s, and to record 65,536 open calls takes half a second. */
const judgingMaxMs = 1_200;

/** Milliseconds for judging after the exit of a server that had to be killed. */
const judgingAfterKillMaxMs = 100;

/** Called when a leaving client can wait no longer; `isSignaled` is false where it has only closed its end. */
export type OutOfTime = (isSignaled: boolean) => void;

export class Goodbye {
  #closedMs: number | undefined;
  #signaledMs: number | undefined;
  #exitedMs: number | undefined;
  #outOfTime: OutOfTime = () => undefined;
  #timer: Timer | undefined;

  get isLeaving(): boolean {
    return this.#closedMs !== undefined || this.#signaledMs !== undefined;
  }

  closed(): void {
    this.#closedMs ??= performance.now();
    this.#arm();
  }

  signaled(): void {
    this.#signaledMs ??= performance.now();
    this.#arm();
  }

  exited(outOfTime: OutOfTime): void {
    this.#exitedMs = performance.now();
    this.#outOfTime = outOfTime;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** When a leaving client can wait no longer, on the monotonic clock; Infinity while it need not. */
  get endMs(): number {
    if (this.#exitedMs === undefined) return Infinity;
    if (this.#signaledMs !== undefined) {
      return Math.max(this.#signaledMs + judgingMaxMs, this.#exitedMs + judgingAfterKillMaxMs);
    }
    if (this.#closedMs === undefined) return Infinity;
    return Math.max(this.#closedMs, this.#exitedMs) + judgingMaxMs;
  }

  #arm(): void {
    const { endMs } = this;
    if (endMs === Infinity) return;
    this.stop();
    const act = (): void => this.#outOfTime(this.#signaledMs !== undefined);
    this.#timer = setTimeout(act, endMs - performance.now());
  }

  // Without us the bytes would stay in the pipe; after this time without progress they are given up.
  get patienceMs(): number {
    if (this.#signaledMs !== undefined) return unreadAfterSignalMaxMs;
    return this.#closedMs === undefined ? Infinity : unreadAfterCloseMaxMs;
  }
}
