import type { Action } from "../budgets/decision.ts";
import type { Call, Requested } from "../calls/call.ts";
import { actionRules } from "./action-rules.ts";

// Holds requests, but lets answers pass.
export const throttle: Action = {
  id: "throttle",
  ...actionRules.throttle,
  handleExcess: () => ({ kind: "pass" }),
};

// Many clients give up after 60 seconds.
export const throttleWaitMaxMs = 50_000;

// A request that would exceed one of these two limits is refused, not held.
export const throttledCallsMax = 1_000;

export const throttledBytesMax = 16 * 1024 * 1024;

export type HeldRequest = {
  readonly call: Call;
  readonly bytes: Uint8Array;
  // Monotonic: the wall clock may be set back meanwhile.
  readonly sinceMs: number;
  readonly untilMs: number; // by the wall clock, like the windows of counters
};

export class HeldRequests {
  #held: HeldRequest[] = [];
  #bytes = 0;

  get wakeAtMs(): number | undefined {
    if (this.#held.length === 0) return undefined;
    return Math.min(...this.#held.map(({ untilMs }) => untilMs));
  }

  computeHoldMaxMs(bytes: number, sinceMs: number, nowMs: number): number {
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
    this.#held = this.#held.filter((request) => !taken.includes(request));
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

export function makeRequested({ call, bytes }: HeldRequest, atMs: number): Requested {
  const line = { bytes, size: bytes.length, skim: undefined };
  const position = { from: "client", line, item: undefined, hasPassed: false } as const;
  const arrival = { ...position, size: line.size, atMs, exchange: call.exchange };
  return { kind: "requested", call, arrival };
}
