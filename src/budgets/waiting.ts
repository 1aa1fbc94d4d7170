import { throttledBytesMax, throttledCallsMax, throttleWaitMaxMs } from "#limits.ts";
import type { Call } from "#calls/call.ts";

/** A request that waits for a counter to refill. */
export type Waiting = {
  readonly call: Call;
  readonly bytes: Uint8Array;
  readonly sinceMs: number;
  readonly untilMs: number;
};

/** Requests that wait, in the order they came; bounded in number, bytes and time. */
export class WaitingRoom {
  #waiting: Waiting[] = [];
  #bytes = 0;

  /** When one of them is to be looked at again, in wall-clock ms; undefined when none waits. */
  get wakeAtMs(): number | undefined {
    if (this.#waiting.length === 0) return undefined;
    return Math.min(...this.#waiting.map(({ untilMs }) => untilMs));
  }

  /** How long a request of that size that came at `sinceMs` may wait on. */
  mayWaitMs(bytes: number, sinceMs: number, nowMs: number): number {
    const isFull =
      this.#waiting.length >= throttledCallsMax || this.#bytes + bytes > throttledBytesMax;
    return isFull ? 0 : Math.max(0, sinceMs + throttleWaitMaxMs - nowMs);
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#bytes += waiting.bytes.length;
  }

  /** Takes the oldest with that id out. */
  take(id: string | number): Call | undefined {
    const found = this.#waiting.find(({ call }) => call.id?.value === id);
    if (!found) return undefined;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== found);
    this.#bytes -= found.bytes.length;
    return found.call;
  }

  /** Takes all out. */
  takeAll(): Waiting[] {
    const all = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    return all;
  }
}
