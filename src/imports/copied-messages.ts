import type { RequestEvent } from "./log-event.ts";

/** A line that repeats a request of another conversation. */
export type CopiedLine = { readonly conversation: string; readonly original: string };

/**
 * The events without those of messages that are copies of an earlier one under another id, as a fork makes them. A copy has
 * the `copy` of its original; other lines about the same message are copies with it.
 */
export function withoutCopies(events: readonly RequestEvent[]): {
  readonly originals: readonly RequestEvent[];
  readonly copied: readonly CopiedLine[];
} {
  const first = new Map<string, RequestEvent>();
  const originals = new Set<string>();
  const copies = new Map<string, CopiedLine>();
  for (const event of events) {
    const { conversation } = event;
    const { message, copy } = event.keys;
    if (copy === undefined || message === null || originals.has(message)) continue;
    const original = first.get(copy);
    if (original) copies.set(message, { conversation, original: original.conversation });
    else {
      first.set(copy, event);
      originals.add(message);
    }
  }
  if (copies.size === 0) return { originals: events, copied: [] };
  const isOriginal = ({ keys: { message } }: RequestEvent): boolean =>
    message === null || !copies.has(message) || originals.has(message);
  return { originals: events.filter(isOriginal), copied: [...copies.values()] };
}
