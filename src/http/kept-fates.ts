import type { HttpExchange } from "#calls/arrival.ts";
import { type Effects, type LateFate, passed } from "#session/effects.ts";

/** Messages of a conversation that are kept until they can be decided, each by the exchange that it was given with. */
export class KeptFates {
  readonly #waiting = new Map<HttpExchange, (fate: Effects) => void>();

  /** Resolves with the fate of the message that was given with it. */
  wait(exchange: HttpExchange): Promise<Effects> {
    return new Promise((resolve) => this.#waiting.set(exchange, resolve));
  }

  decided({ exchange, fate }: LateFate): void {
    this.#waiting.get(exchange)?.(fate);
    this.#waiting.delete(exchange);
  }

  /** No decision will come: a failure of the meter is none of the traffic. */
  failed(): void {
    for (const resolve of this.#waiting.values()) resolve(passed);
    this.#waiting.clear();
  }
}
