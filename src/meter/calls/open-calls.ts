import { Exchanges } from "#wire/exchange.ts";
import type { HttpExchange } from "./arrival.ts";
import type { Call } from "./call.ts";

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
