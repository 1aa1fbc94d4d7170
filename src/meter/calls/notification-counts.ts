import type { Side } from "#wire/side.ts";
import type { NotificationCount } from "#records/record.ts";

// Further methods share the entry `(other)`.
export const notificationMethodsMax = 64;

type Mutable = { -readonly [K in keyof NotificationCount]: NotificationCount[K] };

export class NotificationCounts {
  readonly #counts = new Map<string, Mutable>();

  add(from: Side, rawMethod: string, bytes: number): void {
    const counted = this.#counts.get(keyOf(from, rawMethod)) ?? this.#begin(from, rawMethod);
    counted.count += 1;
    counted.bytes += bytes;
  }

  #begin(from: Side, rawMethod: string): Mutable {
    const method = this.#counts.size < notificationMethodsMax ? rawMethod : "(other)";
    const key = keyOf(from, method);
    const begun = this.#counts.get(key) ?? { method, from, count: 0, bytes: 0 };
    this.#counts.set(key, begun);
    return begun;
  }

  list(): NotificationCount[] {
    return [...this.#counts.values()];
  }
}

function keyOf(from: Side, method: string): string {
  return `${from} ${method}`;
}
