import type { Side } from "./side.ts";
import { lateAnswersMax, openCallsMax } from "#limits.ts";
import type { Id } from "./message.ts";

type Open<T> = { readonly raw: string | undefined; readonly call: T; readonly order: number };

type Space<T> = Map<Id["value"], T>;

/**
 * Who asked what and is still waiting: one id space per direction, `1` and `"1"` apart, first in first
 * out where an id is in flight twice. Bounded: beyond `openMax` the oldest request is given up.
 */
export class Exchanges<T> {
  readonly #openMax: number;
  readonly #open = { client: new Map() as Space<Open<T>[]>, server: new Map() as Space<Open<T>[]> };
  readonly #cancelled = { client: new Map() as Space<T>, server: new Map() as Space<T> };
  readonly #count = { client: 0, server: 0 };
  #order = 0;

  constructor(openMax: number = openCallsMax) {
    this.#openMax = openMax;
  }

  get size(): number {
    return this.#count.client + this.#count.server;
  }

  /** Remembers a request of `from`; returns what had to be given up to make room. */
  open(from: Side, id: Id, call: T): T | undefined {
    this.#order += 1;
    const entry = { raw: id.raw, call, order: this.#order };
    const queue = this.#open[from].get(id.value);
    if (queue) queue.push(entry);
    else this.#open[from].set(id.value, [entry]);
    this.#count[from] += 1;
    return this.size > this.#openMax ? this.#giveUpOldest() : undefined;
  }

  /**
   * The request of `from` that an answer with this id belongs to; `late` when it was cancelled. An id of
   * the same type comes first. Without one, a text that reads as a number belongs to the request with that
   * number, because SDK clients compare `Number(id)`.
   */
  close(from: Side, id: Id): { readonly call: T; readonly late: boolean } | undefined {
    const asNumber = numberOf(id);
    return this.#close(from, id) ?? (asNumber && this.#close(from, asNumber));
  }

  /** Removes a request of `from` that was cancelled; an answer that still comes is late. */
  cancel(from: Side, id: Id): T | undefined {
    const call = this.#remove(from, id);
    if (call === undefined) return undefined;
    const cancelled = this.#cancelled[from];
    cancelled.set(id.value, call);
    if (cancelled.size > lateAnswersMax) cancelled.delete(firstKey(cancelled));
    return call;
  }

  /** Everything that is still waiting, oldest first, forgotten here. */
  drain(): T[] {
    const queues = [...this.#open.client.values(), ...this.#open.server.values()];
    this.#open.client.clear();
    this.#open.server.clear();
    this.#count.client = 0;
    this.#count.server = 0;
    return queues
      .flat()
      .toSorted((one, other) => one.order - other.order)
      .map((entry) => entry.call);
  }

  #close(from: Side, id: Id): { readonly call: T; readonly late: boolean } | undefined {
    const call = this.#remove(from, id);
    if (call !== undefined) return { call, late: false };
    const cancelled = this.#cancelled[from].get(id.value);
    if (cancelled === undefined) return undefined;
    this.#cancelled[from].delete(id.value);
    return { call: cancelled, late: true };
  }

  #remove(from: Side, id: Id): T | undefined {
    const queue = this.#open[from].get(id.value);
    if (!queue) return undefined;
    // Numbers beyond 2^53 that read the same may be written differently: the same text wins.
    const same = id.raw === undefined ? -1 : queue.findIndex((entry) => entry.raw === id.raw);
    const [entry] = same > 0 ? queue.splice(same, 1) : [queue.shift()];
    if (queue.length === 0) this.#open[from].delete(id.value);
    this.#count[from] -= 1;
    return entry?.call;
  }

  /** Of the side that has more open: one side alone cannot push out the other's calls. */
  #giveUpOldest(): T | undefined {
    const side = this.#count.server > this.#count.client ? "server" : "client";
    return this.#remove(side, { value: firstKey(this.#open[side]) });
  }
}

function firstKey<V>(space: Space<V>): Id["value"] {
  return space.keys().next().value ?? "";
}

/** The number that an SDK client takes a text id for; undefined where there is none. */
function numberOf({ value }: Id): Id | undefined {
  if (typeof value !== "string") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : { value: number };
}
