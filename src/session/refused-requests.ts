import type { Arrival } from "#calls/arrival.ts";
import { lateAnswersMax } from "#limits.ts";
import type { Id, SingleMessage } from "#wire/message.ts";

type Held = Pick<Arrival, "hasPassed" | "from">;

/**
 * Requests whose refusal may still wait for the end of a line that the server has begun. An answer in that line
 * would reach the client first, which then ignores the refusal. Bounded: the newest are kept.
 */
export class RefusedRequests {
  readonly #ids = new Set<Id["value"]>();

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  add({ value }: Id): void {
    this.#ids.add(value);
    const [oldest] = this.#ids;
    if (oldest !== undefined && this.#ids.size > lateAnswersMax) this.#ids.delete(oldest);
  }

  /** The server is between two lines: every refusal was sent. */
  sent(): void {
    this.#ids.clear();
  }

  /** True when a message that the server began before a refusal, and that is held, may answer the refused request. */
  mayAnswer(message: SingleMessage, { from, hasPassed }: Held): boolean {
    if (this.isEmpty || from === "client" || hasPassed) return false;
    if (message.kind === "opaque") return message.reason !== "blank";
    if (message.kind !== "result" && message.kind !== "error") return false;
    const value = message.id?.value;
    // SDK clients convert an id that is a text to a number.
    return value !== undefined && (this.#ids.has(value) || this.#ids.has(Number(value)));
  }
}
