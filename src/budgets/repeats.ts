import type { Call } from "#calls/call.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject } from "#wire/json.ts";

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
   * How often in a row the call came before, when that is more than allowed. Asked again about the same call, it gives
   * the same number. `ownArguments` are those that the client adds for itself, which make no other call.
   */
  excess(call: Call, ownArguments: readonly string[] = []): number | undefined {
    if (this.#max === undefined) return undefined;
    if (call !== this.#call) this.#count(call, ownArguments);
    return this.#times > this.#max ? this.#times - 1 : undefined;
  }

  #count(call: Call, ownArguments: readonly string[]): void {
    const { method, asked, truncated } = call;
    const args = withoutMembers(asked.arguments ?? "", ownArguments);
    // Two requests that could not be parsed may differ.
    const key = truncated ? undefined : `${method}\n${asked.tool ?? ""}\n${args}`;
    this.#times = key !== undefined && key === this.#key ? this.#times + 1 : 1;
    this.#key = key;
    this.#call = call;
  }
}

/** Canonical JSON of an object without these members; any other text as it is. */
function withoutMembers(json: string, names: readonly string[]): string {
  if (!names.some((name) => json.includes(JSON.stringify(name)))) return json;
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return json;
  const rest = Object.entries(value).filter(([name]) => !names.includes(name));
  return canonicalJson(Object.fromEntries(rest));
}
