import type { Call } from "#calls/call.ts";

/** Counts identical calls in a row. */
export class Repeats {
  readonly #max: number | undefined;
  #call: Call | undefined;
  #key: string | undefined;
  #times = 0;

  constructor(max: number | undefined) {
    this.#max = max;
  }

  /**
   * How often in a row the call came before, when that is more than allowed. RequestDescription again about the same
   * call, it gives the same number.
   */
  excess(call: Call): number | undefined {
    if (this.#max === undefined) return undefined;
    if (call !== this.#call) this.#count(call);
    return this.#times > this.#max ? this.#times - 1 : undefined;
  }

  #count(call: Call): void {
    const { method, asked, truncated } = call;
    // Two requests that could not be parsed may differ.
    const key = truncated ? undefined : `${method}\n${asked.tool ?? ""}\n${asked.arguments ?? ""}`;
    this.#times = key !== undefined && key === this.#key ? this.#times + 1 : 1;
    this.#key = key;
    this.#call = call;
  }
}
