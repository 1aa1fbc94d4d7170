import { Exchanges } from "#wire/exchange.ts";
import type { HttpExchange, Arrival } from "./arrival.ts";
import type { Call } from "./call.ts";
import { suspendedCallsMax } from "../limits.ts";
import type { RequestDescription } from "#tokens/cost/methods.ts";
import type { InputRound } from "#wire/task.ts";
import { entriesOf, type InnerAnswer, requestInside } from "./endings.ts";
import type {
  ClientIntroduction,
  Era,
  Implementation,
  ServerIntroduction,
} from "#wire/introduction.ts";

/** The calls that wait for their answer: those of the connection under its ids, and those of each stateless exchange under ids of its own. */
export class OpenCalls {
  readonly #connected = new Exchanges<Call>();
  readonly #stateless = new Map<number, Exchanges<Call>>();

  /** The calls among which an id of this exchange has a meaning; those of the connection without an exchange. */
  of(exchange: HttpExchange | undefined): Exchanges<Call> {
    if (exchange?.isStateless !== true) return this.#connected;
    const { number } = exchange;
    const known = this.#stateless.get(number);
    if (known) return known;
    const added = new Exchanges<Call>();
    this.#stateless.set(number, added);
    return added;
  }

  leave(number: number): readonly Call[] {
    const alone = this.#stateless.get(number);
    this.#stateless.delete(number);
    if (alone) return alone.drain();
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

export type Conversation = {
  readonly era: Era | undefined;
  readonly client: Implementation | undefined;
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
  readonly showsPages: boolean;
};

export const strangers: Conversation = {
  era: undefined,
  client: undefined,
  server: undefined,
  protocolVersion: undefined,
  instructions: undefined,
  showsPages: false,
};

/** A handshake after a failed probe overrides the probe: the era is the connection's, not the first message's. */
export function withClient(known: Conversation, client: ClientIntroduction): Conversation {
  return {
    ...known,
    era: client.era,
    client: client.client ?? known.client,
    protocolVersion: client.protocolVersion ?? known.protocolVersion,
    showsPages: client.showsPages,
  };
}

export function withServer(known: Conversation, server: ServerIntroduction): Conversation {
  return {
    ...known,
    server: server.server ?? known.server,
    protocolVersion: server.protocolVersion ?? known.protocolVersion,
    instructions: server.instructions ?? known.instructions,
  };
}
