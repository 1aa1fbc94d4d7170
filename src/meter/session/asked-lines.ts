import type { Gated } from "../budgets/gate.ts";
import type { HeldRequest } from "../budgets/held-requests.ts";
import { lineAt, type Arrival } from "../calls/arrival.ts";
import type { Call } from "../calls/call.ts";
import { lineHeadBytes } from "#kit/limits.ts";

// Lines that wait for a counter; beyond it no further lines are read.
export const askedBytesMax = 16 * 1024 * 1024;

export const askedLinesMax = 10_000;

export type AskedLine = {
  readonly transition: Gated;
  readonly bytes: Uint8Array;
  readonly held: HeldRequest | undefined;
};

export class AskedLines {
  #lines: AskedLine[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isFull(): boolean {
    return this.#lines.length >= askedLinesMax || this.#bytes >= askedBytesMax;
  }

  add(transition: Gated, held?: HeldRequest): void {
    const arrival = arrivalOf(transition);
    const bytes = (arrival && lineAt(arrival)) ?? new Uint8Array();
    this.#lines.push({ transition, bytes, held });
    this.#bytes += bytes.length + lineHeadBytes;
  }

  hasAnswerTo(call: Call): boolean {
    return this.#lines.some(({ transition }) => "call" in transition && transition.call === call);
  }

  takeRequest(id: string | number): Call | undefined {
    const found = this.#lines.find(
      ({ transition }) => transition.kind === "requested" && transition.call.id?.value === id,
    );
    if (found?.transition.kind !== "requested") return undefined;
    this.#lines = this.#lines.filter((line) => line !== found);
    this.#bytes -= found.bytes.length + lineHeadBytes;
    return found.transition.call;
  }

  takeExchange(number: number): readonly AskedLine[] {
    const taken = this.#lines.filter(
      ({ transition }) => arrivalOf(transition)?.exchange?.number === number,
    );
    if (taken.length === 0) return taken;
    const rest = this.#lines.filter((line) => !taken.includes(line));
    this.#lines = rest;
    this.#bytes = rest.reduce((sum, { bytes }) => sum + bytes.length + lineHeadBytes, 0);
    return taken;
  }

  takeAll(): readonly AskedLine[] {
    const all = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    return all;
  }
}

export function arrivalOf(transition: Gated): Arrival | undefined {
  return "arrival" in transition ? transition.arrival : transition.answer?.arrival;
}
