import type { RequestEvent } from "./log-event.ts";

export type CopiedLine = { readonly conversation: string; readonly original: string };

/**
 * A fork copies messages under other ids, with the `copy` of the original; other lines about the same message are
 * copies too.
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
