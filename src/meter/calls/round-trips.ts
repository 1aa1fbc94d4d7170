import { Exchanges, type InputHalf } from "#wire/pair-answers.ts";
import {
  type HttpExchange,
  type Arrival,
  Call,
  type Origin,
  makeNotificationCarrier,
  type Closed,
} from "./call.ts";
import { closeAnswered } from "./outcome.ts";
import {
  type RequestDescription,
  describeRequest,
  isCallMethod,
} from "#tokens/cost/describe-calls.ts";
import { isObject, readMember, readString } from "#wire/json.ts";
import { type TaskOwner, suspendedCallsMax } from "./task-steps.ts";
import { type Side, noCaller } from "#wire/message.ts";

/** Request ids are unique in a connection or, over HTTP without sessions, only in one HTTP exchange. */
export class OpenCalls {
  readonly #connected = new Exchanges<Call>();
  readonly #stateless = new Map<number, Exchanges<Call>>();

  forExchange(exchange: HttpExchange | undefined): Exchanges<Call> {
    if (exchange?.isStateless !== true) return this.#connected;
    const { number } = exchange;
    const calls = this.#stateless.get(number) ?? new Exchanges<Call>();
    this.#stateless.set(number, calls);
    return calls;
  }

  takeExchange(number: number): readonly Call[] {
    const stateless = this.#stateless.get(number);
    this.#stateless.delete(number);
    if (stateless) return stateless.drain();
    return this.#connected.remove("client", ({ exchange }) => exchange?.number === number);
  }

  drain(): readonly Call[] {
    const stateless = [...this.#stateless.values()].flatMap((open) => open.drain());
    this.#stateless.clear();
    return [...this.#connected.drain(), ...stateless];
  }
}

type Resumption = {
  readonly call: Call;
  readonly answered: readonly InnerAnswer[];
};

type Suspended = {
  readonly call: Call;
  readonly innerCalls: ReadonlyMap<string, Call>; // the last answer's requests for input, by name
};

// In MCP 2026-07-28, a client answers a request for input by sending the call again with a new request id. The
// suspended call is found by `requestState`. Without `requestState`, it is found by method, tool and arguments.
export class RoundTrips {
  readonly #hash: (text: string) => string;
  readonly #suspended = new Map<string, Suspended[]>();
  suspendedCount = 0;

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  // Returns the call that was abandoned to make room, if any.
  suspend(call: Call, round: InputHalf, arrival: Arrival): Call | undefined {
    const key = this.#makeKey(call.method, call.request, round);
    const suspended = { call, innerCalls: makeInnerCalls(round, arrival) };
    const sameKey = this.#suspended.get(key);
    if (sameKey) sameKey.push(suspended);
    else this.#suspended.set(key, [suspended]);
    this.suspendedCount += 1;
    return this.suspendedCount > suspendedCallsMax ? this.#takeOldest() : undefined;
  }

  resume(
    method: string,
    description: RequestDescription,
    round: InputHalf,
  ): Resumption | undefined {
    const found = this.#take(this.#makeKey(method, description, round));
    if (!found) return undefined;
    const answered = listEntries(round.entries).flatMap(([name, result]) => {
      const call = found.innerCalls.get(name);
      return call ? [{ call, result }] : [];
    });
    // Adds 0 bytes, because the resumed call counts the bytes of these answers.
    for (const { call } of answered) call.addAnswer(0, false);
    return { call: found.call, answered };
  }

  drain(): Call[] {
    const calls = [...this.#suspended.values()].flat().map(({ call }) => call);
    this.#suspended.clear();
    this.suspendedCount = 0;
    return calls;
  }

  #makeKey(method: string, description: RequestDescription, { requestState }: InputHalf): string {
    if (requestState !== undefined) return `state ${this.#hash(requestState)}`;
    return `call ${this.#hash(`${method}\n${description.tool ?? ""}\n${description.arguments ?? ""}`)}`;
  }

  #takeOldest(): Call | undefined {
    const [key] = this.#suspended.keys();
    return key === undefined ? undefined : this.#take(key)?.call;
  }

  #take(key: string): Suspended | undefined {
    const waiting = this.#suspended.get(key);
    const found = waiting?.shift();
    if (found) this.suspendedCount -= 1;
    if (waiting?.length === 0) this.#suspended.delete(key);
    return found;
  }
}

function makeInnerCalls({ entries }: InputHalf, arrival: Arrival): Map<string, Call> {
  const calls = new Map<string, Call>();
  for (const [key, entry] of listEntries(entries)) {
    const call = makeInnerCall(entry, { ...arrival, from: "server" });
    if (call) calls.set(key, call);
  }
  return calls;
}

export type InnerAnswer = { readonly call: Call; readonly result: unknown };

export function listEntries(rawEntries: unknown): [key: string, entry: unknown][] {
  return isObject(rawEntries) ? Object.entries(rawEntries) : [];
}

/** Undefined for elicitation and roots, because no model answers them. */
export function makeInnerCall(entry: unknown, origin: Origin): Call | undefined {
  const method = readString(entry, "method") ?? "";
  if (!isCallMethod(method)) return undefined;
  const description = describeRequest(method, readMember(entry, "params"));
  return new Call({ method, truncated: false }, description, origin);
}

export function closeInner({ call, result }: InnerAnswer, atMs: number): Closed {
  return { kind: "closed", call, closing: { outcome: "ok", result, endedMs: atMs } };
}

type DeliveryFacts = {
  readonly recordedMethod?: string | undefined;
  readonly from: Side; // the side that made the call
  readonly poll: Call | undefined;
  readonly arrival: Arrival;
};

/** Represents a result that a model may read again. Without an `owner`, the tool is unknown. */
export function makeRedelivery(
  owner: TaskOwner | undefined,
  { from, poll, arrival, recordedMethod }: DeliveryFacts,
): Call {
  const method = owner?.method ?? (from === "client" ? "tools/call" : "sampling/createMessage");
  const description = { ...emptyRequest, tool: owner?.tool ?? null };
  const origin = poll
    ? { from, size: poll.inputBytes, atMs: poll.startedMs }
    : { from, size: 0, atMs: arrival.atMs };
  const methods = { method, recordedMethod };
  const request = { id: poll?.id, ...methods, truncated: false, isRedelivery: true };
  const call = new Call(owner ? { ...request, tally: owner.tally } : request, description, origin);
  call.isForApp = owner?.isForApp === true;
  return call;
}

const emptyRequest = {
  isCall: true,
  tool: null,
  input: [],
  arguments: undefined,
  caller: noCaller,
};

export function closePushed(method: string, params: unknown, arrival: Arrival): Closed {
  const request = { method, truncated: false, isRedelivery: true };
  const call = new Call(request, emptyRequest, { ...arrival, from: "client", size: 0 });
  call.outputBytes = arrival.size;
  call.truncated = params === undefined;
  const content = params === undefined ? {} : { result: params };
  return closeAnswered(call, content, arrival, makeNotificationCarrier(method, {}));
}
