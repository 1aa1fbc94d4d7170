import { notificationMethodsMax } from "#limits/calls.ts";
import type { Side } from "#wire/side.ts";
import type { NotificationCount } from "#records/record.ts";

type Mutable = { -readonly [K in keyof NotificationCount]: NotificationCount[K] };

/** Counts notifications by method and direction; beyond a limit of methods they share `(other)`. */
export class NotificationCounts {
  readonly #counts = new Map<string, Mutable>();

  add(from: Side, rawMethod: string, bytes: number): void {
    const isKnown = this.#counts.has(keyOf(from, rawMethod));
    const isFull = this.#counts.size >= notificationMethodsMax;
    const method = isKnown || !isFull ? rawMethod : "(other)";
    const key = keyOf(from, method);
    const counted = this.#counts.get(key) ?? { method, from, count: 0, bytes: 0 };
    counted.count += 1;
    counted.bytes += bytes;
    this.#counts.set(key, counted);
  }

  list(): NotificationCount[] {
    return [...this.#counts.values()];
  }
}

function keyOf(from: Side, method: string): string {
  return `${from} ${method}`;
}
