import { HttpConversation, type OpenMeter, exchangesEndMaxMs } from "./http-conversation.ts";

// Each has a meter; beyond it the one that was silent longest ends.
export const conversationsMax = 500;

// A killed client does not say goodbye.
export const silentConversationMaxMs = 30 * 60_000;

export type ConversationKey =
  | { readonly session: string }
  /** Of exchanges without a session: the client's own name and version. */
  | { readonly client: string };

/** How the meter of a conversation is opened. Never rejects; undefined is a meter that failed. */
export type OpenConversation = () => Promise<OpenMeter | undefined>;

export class Conversations {
  readonly #open: OpenConversation;
  readonly #all = new Map<string, HttpConversation>();
  readonly #closing = new Set<Promise<void>>();

  constructor(open: OpenConversation) {
    this.#open = open;
  }

  get size(): number {
    return this.#all.size;
  }

  of(key: ConversationKey, nowMs: number): HttpConversation {
    const name = nameOf(key);
    const known = this.#all.get(name);
    if (known) return known;
    if (this.#all.size >= conversationsMax) this.#endOldest();
    const begun = new HttpConversation("client" in key, this.#open(), nowMs);
    this.#all.set(name, begun);
    return begun;
  }

  end(key: ConversationKey): void {
    this.#end(nameOf(key));
  }

  sweep(nowMs: number): void {
    for (const [name, { silentSinceMs }] of this.#all) {
      if (nowMs - silentSinceMs > silentConversationMaxMs) this.#end(name);
    }
  }

  /** Ends all, as soon as their exchanges have ended; resolves when their records are complete. */
  async close(): Promise<void> {
    const deadlineMs = performance.now() + exchangesEndMaxMs;
    while (this.#hasExchange && performance.now() < deadlineMs) await Bun.sleep(1);
    // Those that have not ended have had their time.
    for (const [name, conversation] of this.#all) this.#close(name, conversation.close());
    await Promise.all(this.#closing);
  }

  get #hasExchange(): boolean {
    return this.#all.values().some(({ silentSinceMs }) => silentSinceMs === Infinity);
  }

  /** The one that was silent longest; among those with an exchange the one that began first. */
  #endOldest(): void {
    const [first] = this.#all;
    if (!first) return;
    let oldest = first;
    for (const entry of this.#all) {
      if (entry[1].silentSinceMs < oldest[1].silentSinceMs) oldest = entry;
    }
    this.#end(oldest[0]);
  }

  #end(name: string): void {
    const ended = this.#all.get(name);
    if (ended)
      this.#close(
        name,
        ended.settle().then(() => ended.close()),
      );
  }

  #close(name: string, closed: Promise<void>): void {
    this.#all.delete(name);
    const closing = closed.finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function nameOf(key: ConversationKey): string {
  return "session" in key ? `session ${key.session}` : `client ${key.client}`;
}
