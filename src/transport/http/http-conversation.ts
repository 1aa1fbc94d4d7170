import { raceTimeout } from "#kit/os/race-timeout.ts";
import type { HttpExchange } from "#meter/calls/call.ts";
import type { LineEvent, ExchangeEndOutcome } from "#meter/session/event.ts";
import {
  type Effects,
  type DelayedEffects,
  type DelayedEffectsReceiver,
  noEffects,
} from "#meter/session/decider.ts";
import type { Side } from "#wire/message.ts";
import { sha256 } from "#kit/os/hash.ts";
import type { ServerEvent } from "#wire/endpoint/event-reader.ts";
import { makeReplacement, type MessageVerdict } from "./verdict.ts";

export const eventIdsMax = 1_000;

export const rememberedBytesMax = 4 * 1024 * 1024;

type RememberedEvent = {
  readonly hash: string;
  readonly verdict: MessageVerdict | Promise<MessageVerdict>;
  bytes: number;
};

// If a resumed stream repeats an event, the event gets the same verdict again.
export class RememberedEvents {
  readonly #events = new Map<string, RememberedEvent>();
  #bytes = 0;

  find({ id, line }: ServerEvent): MessageVerdict | Promise<MessageVerdict> | undefined {
    if (id === undefined || id === "" || !line.bytes) return undefined;
    const remembered = this.#events.get(id);
    return remembered?.hash === sha256(line.bytes) ? remembered.verdict : undefined;
  }

  add({ id, line }: ServerEvent, verdict: MessageVerdict | Promise<MessageVerdict>): void {
    if (id === undefined || id === "" || !line.bytes) return;
    this.#forget(id);
    const event: RememberedEvent = { hash: sha256(line.bytes), verdict, bytes: 0 };
    this.#events.set(id, event);
    if (verdict instanceof Promise)
      void verdict.then((settled) => this.#addSize(id, event, settled));
    else this.#addSize(id, event, verdict);
  }

  #addSize(id: string, event: RememberedEvent, verdict: MessageVerdict): void {
    if (this.#events.get(id) !== event) return;
    event.bytes = verdict.passes ? 0 : (makeReplacement(verdict)?.length ?? 0);
    this.#bytes += event.bytes;
    while (this.#events.size > eventIdsMax || this.#bytes > rememberedBytesMax) {
      const [oldest] = this.#events.keys();
      if (oldest === undefined) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#bytes -= this.#events.get(id)?.bytes ?? 0;
    this.#events.delete(id);
  }
}

// An ending conversation waits at most this long for its exchanges: a forwarded answer may still have to be metered.
export const exchangesEndMaxMs = 500;

// At exit, mcp-meter waits for ending conversations. This limit plus `exchangesEndMaxMs` keeps the wait within 2 s.
const heldAtEndMaxMs = 1_500;

// None of its functions throws.
export type ConversationMeter = {
  decide(arrival: Omit<LineEvent, "kind">): Effects;
  holds(from: Side): boolean; // messages of that side must be decided before they pass
  setDelayedReceiver(receiver: DelayedEffectsReceiver): void;
  endExchange(exchange: number, outcome: ExchangeEndOutcome): void;
  noteRedirect(exchange: number): void;
  whenCaughtUp(): Promise<void> | undefined;
  whenDecided(): Promise<void> | undefined; // undefined while no message waits for its decision
};

type OpenMeter = { readonly meter: ConversationMeter; readonly close: () => Promise<void> };

export class HttpConversation {
  readonly isStateless: boolean; // request ids are only valid within one exchange
  readonly #opening: Promise<OpenMeter | undefined>;
  readonly events = new RememberedEvents();
  readonly #pending = new PendingDecisions();
  #exchanges = 0;
  #lastLeaveMs: number;
  readonly #settled = Promise.withResolvers<void>();
  #isEnding = false;

  // `opening` never rejects; it resolves with undefined if the meter failed.
  constructor(isStateless: boolean, opening: Promise<OpenMeter | undefined>, nowMs: number) {
    this.isStateless = isStateless;
    this.#opening = opening.then((opened) => {
      opened?.meter.setDelayedReceiver(this.#pending);
      return opened;
    });
    this.#lastLeaveMs = nowMs;
  }

  async whenOpen(): Promise<ConversationMeter | undefined> {
    return (await this.#opening)?.meter;
  }

  enter(): void {
    this.#exchanges += 1;
  }

  leave(nowMs: number): void {
    this.#exchanges -= 1;
    this.#lastLeaveMs = nowMs;
    if (this.#isEnding && this.#exchanges === 0) this.#settled.resolve();
  }

  // Monotonic time.
  get silentSinceMs(): number {
    return this.#exchanges > 0 ? Infinity : this.#lastLeaveMs;
  }

  makeExchange(number: number): HttpExchange {
    return { number, isStateless: this.isStateless };
  }

  decide(
    meter: ConversationMeter,
    message: Pick<LineEvent, "from" | "line" | "at">,
    number: number,
  ): Effects | Promise<Effects> {
    const exchange = this.makeExchange(number);
    const effects = meter.decide({ ...message, hasPassed: false, exchange });
    return effects.waits ? this.#pending.wait(exchange) : effects;
  }

  async settle(): Promise<void> {
    if (this.#exchanges === 0) return;
    this.#isEnding = true;
    await raceTimeout(this.#settled.promise, exchangesEndMaxMs, () => undefined);
    // A held answer may still wait for its decision.
    const deciding = (await this.whenOpen())?.whenDecided();
    if (deciding) await Promise.race([deciding, Bun.sleep(heldAtEndMaxMs)]);
  }

  async close(): Promise<void> {
    const opened = await this.#opening;
    await opened?.close();
  }
}

class PendingDecisions {
  readonly #waiting = new Map<HttpExchange, (effects: Effects) => void>();

  wait(exchange: HttpExchange): Promise<Effects> {
    return new Promise((resolve) => this.#waiting.set(exchange, resolve));
  }

  take({ exchange, effects }: DelayedEffects): void {
    this.#waiting.get(exchange)?.(effects);
    this.#waiting.delete(exchange);
  }

  // No decision will come, and a failed meter must not stop the traffic.
  fail(): void {
    for (const resolve of this.#waiting.values()) resolve(noEffects);
    this.#waiting.clear();
  }
}

// Limited because each conversation opens a meter.
export const conversationsMax = 500;

// A conversation that is silent for longer is ended, because a killed client does not end its session.
export const silentConversationMaxMs = 30 * 60_000;

// Without a session, `client` is the client's name and version. It is empty if the request does not name the client. If
// requests name their user, each user has separate conversations, with separate counters for budgets per session.
export type ConversationKey = ({ readonly session: string } | { readonly client: string }) & {
  readonly user?: string | undefined;
};

export type OpenConversation = (user: string | undefined) => Promise<OpenMeter | undefined>;

export class Conversations {
  readonly #open: OpenConversation;
  readonly #conversations = new Map<string, HttpConversation>();
  readonly #closing = new Set<Promise<void>>();

  constructor(open: OpenConversation) {
    this.#open = open;
  }

  get size(): number {
    return this.#conversations.size;
  }

  findOrOpen(key: ConversationKey, nowMs: number): HttpConversation {
    const name = formatKey(key);
    const existing = this.#conversations.get(name);
    if (existing) return existing;
    if (this.#conversations.size >= conversationsMax) this.#endLongestSilent();
    const conversation = new HttpConversation("client" in key, this.#open(key.user), nowMs);
    this.#conversations.set(name, conversation);
    return conversation;
  }

  end(key: ConversationKey): void {
    this.#end(formatKey(key));
  }

  sweep(nowMs: number): void {
    for (const [name, { silentSinceMs }] of this.#conversations) {
      if (nowMs - silentSinceMs > silentConversationMaxMs) this.#end(name);
    }
  }

  async close(): Promise<void> {
    const deadlineMs = performance.now() + exchangesEndMaxMs;
    while (this.#hasExchange && performance.now() < deadlineMs) await Bun.sleep(1);
    for (const [name, conversation] of this.#conversations) this.#close(name, conversation.close());
    await Promise.all(this.#closing);
  }

  get #hasExchange(): boolean {
    return this.#conversations.values().some(({ silentSinceMs }) => silentSinceMs === Infinity);
  }

  // If all conversations have open exchanges, ends the oldest one.
  #endLongestSilent(): void {
    const [first] = this.#conversations;
    if (!first) return;
    let longestSilent = first;
    for (const entry of this.#conversations) {
      if (entry[1].silentSinceMs < longestSilent[1].silentSinceMs) longestSilent = entry;
    }
    this.#end(longestSilent[0]);
  }

  #end(name: string): void {
    const conversation = this.#conversations.get(name);
    if (!conversation) return;
    const closing = conversation.settle().then(() => conversation.close());
    this.#close(name, closing);
  }

  #close(name: string, conversationClosing: Promise<void>): void {
    this.#conversations.delete(name);
    const closing = conversationClosing.finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function formatKey(key: ConversationKey): string {
  const name = "session" in key ? `session ${key.session}` : `client ${key.client}`;
  return key.user === undefined ? name : JSON.stringify([name, key.user]);
}
