import type { Call } from "../calls/call.ts";
import type { Requested } from "../calls/transition.ts";

// Clients give up after 60 seconds.
export const throttleWaitMaxMs = 50_000;

export const throttledCallsMax = 1_000;

// Further requests are refused.
export const throttledBytesMax = 16 * 1024 * 1024;

export type HeldRequest = {
  readonly call: Call;
  readonly bytes: Uint8Array;
  /** Monotonic: the clock on the wall may be set back meanwhile. */
  readonly sinceMs: number;
  /** On the wall. */
  readonly untilMs: number;
};

export class HeldRequests {
  #held: HeldRequest[] = [];
  #bytes = 0;

  get wakeAtMs(): number | undefined {
    if (this.#held.length === 0) return undefined;
    return Math.min(...this.#held.map(({ untilMs }) => untilMs));
  }

  mayHoldMs(bytes: number, sinceMs: number, nowMs: number): number {
    const isFull =
      this.#held.length >= throttledCallsMax || this.#bytes + bytes > throttledBytesMax;
    return isFull ? 0 : Math.max(0, sinceMs + throttleWaitMaxMs - nowMs);
  }

  add(held: HeldRequest): void {
    this.#held.push(held);
    this.#bytes += held.bytes.length;
  }

  take(id: string | number): Call | undefined {
    const found = this.#held.find(({ call }) => call.id?.value === id);
    if (!found) return undefined;
    this.#held = this.#held.filter((held) => held !== found);
    this.#bytes -= found.bytes.length;
    return found.call;
  }

  takeExchange(number: number): readonly HeldRequest[] {
    const taken = this.#held.filter(({ call }) => call.exchange?.number === number);
    this.#held = this.#held.filter((one) => !taken.includes(one));
    for (const { bytes } of taken) this.#bytes -= bytes.length;
    return taken;
  }

  takeAll(): HeldRequest[] {
    const all = this.#held;
    this.#held = [];
    this.#bytes = 0;
    return all;
  }
}

export function requestedAgain({ call, bytes }: HeldRequest, atMs: number): Requested {
  const line = { bytes, size: bytes.length, skim: undefined };
  const place = { from: "client", line, item: undefined, hasPassed: false } as const;
  const arrival = { ...place, size: line.size, atMs, exchange: call.exchange };
  return { kind: "requested", call, arrival };
}
