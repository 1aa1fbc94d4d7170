import type { HttpExchange } from "#meter/calls/arrival.ts";
import { type Effects, type LateFate, type LateFates, passed } from "#meter/session/effects.ts";
import type { LineEvent, UnansweredOutcome } from "#meter/session/event.ts";
import type { Side } from "#wire/side.ts";
import { RememberedEvents } from "./remembered-events.ts";

// The last answer is read a moment after it was forwarded.
export const exchangesEndMaxMs = 500;

// mcp-meter itself ends within 2 s.
const keptAtEndMaxMs = 1_500;

/** The meter of one conversation, as far as exchanges need it. None of its functions throws. */
export type ConversationMeter = {
  take(arrived: Omit<LineEvent, "kind">): unknown;
  decide(arrived: Omit<LineEvent, "kind">): Effects;
  /** True when messages of that side must be decided before they pass. */
  holds(from: Side): boolean;
  follow(fates: LateFates): void;
  over(exchange: number, outcome: UnansweredOutcome): void;
  redirected(exchange: number): void;
  room(): Promise<void> | undefined;
  /** A promise while messages are kept until they can be decided. */
  waiting(): Promise<void> | undefined;
};

export type OpenMeter = { readonly meter: ConversationMeter; readonly close: () => Promise<void> };

export class HttpConversation {
  /** True where ids have a meaning inside one exchange only. */
  readonly isStateless: boolean;
  readonly #opening: Promise<OpenMeter | undefined>;
  readonly events = new RememberedEvents();
  readonly #kept = new KeptFates();
  #exchanges = 0;
  #leftMs: number;
  readonly #settled = Promise.withResolvers<void>();
  #isEnding = false;

  /** `opening` never rejects; undefined is a meter that failed. */
  constructor(isStateless: boolean, opening: Promise<OpenMeter | undefined>, nowMs: number) {
    this.isStateless = isStateless;
    this.#opening = opening.then((opened) => {
      opened?.meter.follow(this.#kept);
      return opened;
    });
    this.#leftMs = nowMs;
  }

  async meter(): Promise<ConversationMeter | undefined> {
    return (await this.#opening)?.meter;
  }

  enter(): void {
    this.#exchanges += 1;
  }

  leave(nowMs: number): void {
    this.#exchanges -= 1;
    this.#leftMs = nowMs;
    if (this.#isEnding && this.#exchanges === 0) this.#settled.resolve();
  }

  /** When its last exchange ended, in monotonic ms; infinite while there is one. */
  get silentSinceMs(): number {
    return this.#exchanges > 0 ? Infinity : this.#leftMs;
  }

  exchange(number: number): HttpExchange {
    return { number, isStateless: this.isStateless };
  }

  decide(
    meter: ConversationMeter,
    message: Pick<LineEvent, "from" | "line" | "at">,
    number: number,
  ): Effects | Promise<Effects> {
    const exchange = this.exchange(number);
    const effects = meter.decide({ ...message, hasPassed: false, exchange });
    return effects.waits ? this.#kept.wait(exchange) : effects;
  }

  /** Resolves when the exchanges that there are now have ended, whose messages may have passed and not be metered, or have had their time. */
  async settle(): Promise<void> {
    if (this.#exchanges === 0) return;
    this.#isEnding = true;
    const late = setTimeout(() => this.#settled.resolve(), exchangesEndMaxMs);
    await this.#settled.promise;
    clearTimeout(late);
    // A long answer may still be counted.
    const decided = (await this.meter())?.waiting();
    if (decided) await Promise.race([decided, Bun.sleep(keptAtEndMaxMs)]);
  }

  async close(): Promise<void> {
    const opened = await this.#opening;
    await opened?.close();
  }
}

/** Messages of a conversation that are kept until they can be decided, each by the exchange that it was given with. */
class KeptFates {
  readonly #waiting = new Map<HttpExchange, (fate: Effects) => void>();

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
