import { suspendedCallsMax } from "../limits.ts";
import type { RequestDescription } from "#tokens/cost/methods.ts";
import type { InputRound } from "#wire/input-round.ts";
import type { Arrival } from "./arrival.ts";
import type { Call } from "./call.ts";
import { entriesOf, type InnerAnswer, requestInside } from "./inner-requests.ts";

export type Resumption = {
  readonly call: Call;
  readonly answered: readonly InnerAnswer[];
};

type Suspended = { readonly call: Call; readonly asked: ReadonlyMap<string, Call> };

/** Calls that wait for the client's half of a round trip (2026-07-28). A retry has a new id: its `requestState` identifies it, else tool and arguments. */
export class RoundTrips {
  readonly #hash: (text: string) => string;
  readonly #suspended = new Map<string, Suspended[]>();
  #size = 0;

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Keeps a call that was answered with `input_required`. Returns the call that was given up to make room, if any. */
  suspend(call: Call, round: InputRound, arrival: Arrival): Call | undefined {
    const key = this.#keyFor(call.method, call.asked, round);
    const suspended = { call, asked: requestsInside(round, arrival) };
    const sameKey = this.#suspended.get(key);
    // Several calls may wait under one key: none may replace another.
    if (sameKey) sameKey.push(suspended);
    else this.#suspended.set(key, [suspended]);
    this.#size += 1;
    return this.#size > suspendedCallsMax ? this.#takeOldest() : undefined;
  }

  resume(method: string, asked: RequestDescription, round: InputRound): Resumption | undefined {
    const found = this.#take(this.#keyFor(method, asked, round));
    if (!found) return undefined;
    const answered = entriesOf(round.entries).flatMap(([name, result]) => {
      const call = found.asked.get(name);
      return call ? [{ call, result }] : [];
    });
    for (const { call } of answered) call.addAnswer(0, false);
    return { call: found.call, answered };
  }

  drain(): Call[] {
    const calls = [...this.#suspended.values()].flat().map(({ call }) => call);
    this.#suspended.clear();
    this.#size = 0;
    return calls;
  }

  #keyFor(method: string, asked: RequestDescription, { requestState }: InputRound): string {
    if (requestState !== undefined) return `state ${this.#hash(requestState)}`;
    return `call ${this.#hash(`${method}\n${asked.tool ?? ""}\n${asked.arguments ?? ""}`)}`;
  }

  #takeOldest(): Call | undefined {
    const [key] = this.#suspended.keys();
    return key === undefined ? undefined : this.#take(key)?.call;
  }

  #take(key: string): Suspended | undefined {
    const waiting = this.#suspended.get(key);
    const found = waiting?.shift();
    if (found) this.#size -= 1;
    if (waiting?.length === 0) this.#suspended.delete(key);
    return found;
  }
}

function requestsInside({ entries }: InputRound, arrival: Arrival): Map<string, Call> {
  const calls = new Map<string, Call>();
  for (const [key, entry] of entriesOf(entries)) {
    const call = requestInside(entry, { ...arrival, from: "server" });
    if (call) calls.set(key, call);
  }
  return calls;
}
