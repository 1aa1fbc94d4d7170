import { unreadAfterCloseMaxMs, unreadAfterSignalMaxMs } from "#limits/forwarding.ts";

/** Whether the client is leaving, and how long we then wait for it to read the rest. */
export class Goodbye {
  #hasClosed = false;
  #hasSignaled = false;

  /** The client has closed its end. */
  closed(): void {
    this.#hasClosed = true;
  }

  /** The client has sent a signal that asks for the end. */
  signaled(): void {
    this.#hasSignaled = true;
  }

  /**
   * Milliseconds without progress after which the bytes of a server that has exited are given up. Without us they
   * would stay in the pipe, and the server would be gone.
   */
  get patienceMs(): number {
    if (this.#hasSignaled) return unreadAfterSignalMaxMs;
    return this.#hasClosed ? unreadAfterCloseMaxMs : Infinity;
  }
}
