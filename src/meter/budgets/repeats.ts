import type { Call } from "../calls/call.ts";
import { comparedArguments } from "../calls/compared-arguments.ts";
import type { Reader } from "#tokens/cost/reader.ts";

export class Repeats {
  readonly #max: number | undefined;
  #call: Call | undefined;
  #key: string | undefined;
  #times = 0;

  constructor(max: number | undefined) {
    this.#max = max;
  }

  /** How often in a row the call came before, when that is more than allowed. Asked again about the same call, it gives the same number. */
  excess(call: Call, reader: Pick<Reader, "profile" | "tools">): number | undefined {
    if (this.#max === undefined || call.isForPage) return undefined;
    if (call !== this.#call) this.#count(call, reader);
    return this.#times > this.#max ? this.#times - 1 : undefined;
  }

  forget(call: Call): void {
    if (call !== this.#call) return;
    this.#times -= 1;
    this.#call = undefined;
  }

  #count(call: Call, reader: Pick<Reader, "profile" | "tools">): void {
    const { method, asked, truncated } = call;
    const args = comparedArguments(call, reader) ?? "";
    // Two requests that could not be parsed may differ.
    const key = truncated ? undefined : `${method}\n${asked.tool ?? ""}\n${args}`;
    this.#times = key !== undefined && key === this.#key ? this.#times + 1 : 1;
    this.#key = key;
    this.#call = call;
  }
}
