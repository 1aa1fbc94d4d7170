import type { Call } from "#calls/call.ts";

/** Counts identical calls in a row. */
export class Repeats {
  readonly #max: number | undefined;
  #last: string | undefined;
  #times = 0;

  constructor(max: number | undefined) {
    this.#max = max;
  }

  /** How often in a row this has been asked before, when that is more than allowed. */
  add({ method, asked, truncated }: Call): number | undefined {
    if (this.#max === undefined) return undefined;
    // Of two requests that were not read nobody knows whether they are the same.
    const key = truncated ? undefined : `${method}\n${asked.tool ?? ""}\n${asked.arguments ?? ""}`;
    this.#times = key !== undefined && key === this.#last ? this.#times + 1 : 1;
    this.#last = key;
    return this.#times > this.#max ? this.#times - 1 : undefined;
  }
}
