import { suspendedCallsMax } from "#limits.ts";
import { isObject, memberAt, textAt } from "#wire/json.ts";
import type { InputRound } from "#wire/input-round.ts";
import { Call } from "./call.ts";
import type { Closing } from "./outcome.ts";
import { describeRequest, isPriced, type RequestDescription } from "#cost/methods.ts";

type Suspended = { readonly call: Call; readonly asked: ReadonlyMap<string, Call> };

/**
 * Calls that wait for the client's half of a multi-round trip (revision 2026-07-28). The retry has a new
 * id: it is known by its `requestState`, else by tool and arguments.
 */
export class RoundTrips {
  readonly #hash: (text: string) => string;
  readonly #closed: (call: Call, closing: Omit<Closing, "endedMs">) => void;
  readonly #suspended = new Map<string, Suspended[]>();
  #size = 0;

  constructor(
    hash: (text: string) => string,
    closed: (call: Call, closing: Omit<Closing, "endedMs">) => void,
  ) {
    this.#hash = hash;
    this.#closed = closed;
  }

  /** Keeps a call that was answered with `input_required`. */
  suspend(call: Call, round: InputRound, bytes: number, nowMs: number): void {
    const asked = new Map<string, Call>();
    for (const [key, entry] of entriesOf(round)) {
      const method = textAt(entry, "method") ?? "";
      const params = memberAt(entry, "params");
      // Only what a model answers has a price; elicitation and roots ask a person or the client.
      if (!isPriced(method)) continue;
      const request = { method, truncated: false };
      asked.set(key, new Call("server", request, describeRequest(method, params), bytes, nowMs));
    }
    const key = this.#keyOf(call.method, call.asked, round);
    const waiting = this.#suspended.get(key);
    // Several calls may wait in the same words: none may replace another.
    if (waiting) waiting.push({ call, asked });
    else this.#suspended.set(key, [{ call, asked }]);
    this.#size += 1;
    if (this.#size > suspendedCallsMax) this.#giveUpOldest();
  }

  /** The call that a request with input goes on with, no longer suspended. */
  resume(method: string, asked: RequestDescription, round: InputRound): Call | undefined {
    const found = this.#take(this.#keyOf(method, asked, round));
    if (!found) return undefined;
    for (const [name, result] of entriesOf(round)) {
      const answered = found.asked.get(name);
      if (!answered) continue;
      answered.addAnswer(0, false);
      this.#closed(answered, { outcome: "ok", result });
    }
    return found.call;
  }

  /** Everything that still waits, forgotten here. */
  drain(): Call[] {
    const calls = [...this.#suspended.values()].flat().map(({ call }) => call);
    this.#suspended.clear();
    this.#size = 0;
    return calls;
  }

  #keyOf(method: string, asked: RequestDescription, { requestState }: InputRound): string {
    if (requestState !== undefined) return `state ${this.#hash(requestState)}`;
    return `call ${this.#hash(`${method}\n${asked.tool ?? ""}\n${asked.arguments ?? ""}`)}`;
  }

  #giveUpOldest(): void {
    const [key] = this.#suspended.keys();
    const oldest = key === undefined ? undefined : this.#take(key);
    if (oldest) this.#closed(oldest.call, { outcome: "abandoned" });
  }

  #take(key: string): Suspended | undefined {
    const waiting = this.#suspended.get(key);
    const found = waiting?.shift();
    if (found) this.#size -= 1;
    if (waiting?.length === 0) this.#suspended.delete(key);
    return found;
  }
}

function entriesOf({ entries }: InputRound): [string, unknown][] {
  return isObject(entries) ? Object.entries(entries) : [];
}
