import type { ServerEvent } from "#endpoint/event-reader.ts";
import type { HttpExchange } from "#calls/arrival.ts";
import { eventIdsMax } from "#limits/http.ts";
import type { LineEvent, UnansweredOutcome } from "#session/event.ts";

/** The meter of one conversation, as far as exchanges need it. None of its functions throws. */
export type ConversationMeter = {
  /** Takes a message that was forwarded. */
  take(arrived: Omit<LineEvent, "kind">): unknown;
  /** An exchange is over: its requests that are open will not be answered. */
  over(exchange: number, outcome: UnansweredOutcome): void;
  /** A promise while too much waits to be counted. */
  room(): Promise<void> | undefined;
};

/** A meter that is open, and the function that completes its session. */
export type OpenMeter = { readonly meter: ConversationMeter; readonly close: () => Promise<void> };

/** One client and the server: a session of records. */
export class HttpConversation {
  /** True where ids have a meaning inside one exchange only. */
  readonly isStateless: boolean;
  readonly #opening: Promise<OpenMeter | undefined>;
  /** The hash of each event by its id, the newest last. */
  readonly #events = new Map<string, bigint>();
  #exchanges = 0;
  #leftMs: number;

  /** `opening` never rejects; undefined is a meter that failed. */
  constructor(isStateless: boolean, opening: Promise<OpenMeter | undefined>, nowMs: number) {
    this.isStateless = isStateless;
    this.#opening = opening;
    this.#leftMs = nowMs;
  }

  /** The meter, once it is open. */
  async meter(): Promise<ConversationMeter | undefined> {
    return (await this.#opening)?.meter;
  }

  /** An exchange begins. */
  enter(): void {
    this.#exchanges += 1;
  }

  /** An exchange is over. */
  leave(nowMs: number): void {
    this.#exchanges -= 1;
    this.#leftMs = nowMs;
  }

  /** When its last exchange ended, in monotonic ms; infinite while there is one. */
  get silentSinceMs(): number {
    return this.#exchanges > 0 ? Infinity : this.#leftMs;
  }

  exchange(number: number): HttpExchange {
    return { number, isStateless: this.isStateless };
  }

  /**
   * True for an event that was taken before, on any stream; it is remembered otherwise. A resumed stream brings events once
   * more.
   */
  isReplayed({ id, line }: ServerEvent, isResumed: boolean): boolean {
    if (id === undefined || id === "" || !line.bytes) return false;
    const hash = Bun.hash.wyhash(line.bytes);
    if (isResumed && this.#events.get(id) === hash) return true;
    this.#events.delete(id);
    this.#events.set(id, hash);
    const [oldest] = this.#events.keys();
    if (this.#events.size > eventIdsMax && oldest !== undefined) this.#events.delete(oldest);
    return false;
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }
}
