import type { Instant } from "#calls/instant.ts";
import type { ServerEvent } from "#endpoint/event-reader.ts";
import { isEventStream } from "#endpoint/media-type.ts";
import type { UnansweredOutcome } from "#session/event.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { type AnswerLook, lookAt } from "./answer-look.ts";
import { type Asked, namelessClient } from "./asked.ts";
import type { HttpConversation, ConversationMeter } from "./http-conversation.ts";
import type { ConversationKey, Conversations } from "./conversations.ts";
import type { RelayHooks } from "./relay.ts";

/** The beginning of an answer. */
export type AnswerHead = { readonly status: number; readonly headers: Headers };

/** Where an exchange is metered. */
export type ExchangeMetering = {
  readonly conversations: Conversations;
  /** No other exchange has it. */
  readonly number: number;
  readonly now: () => Instant;
  /** Metering failed; traffic continues. */
  readonly failed: (what: string) => void;
};

/**
 * The metering of one exchange of HTTP: finds its conversation, hands on the messages of both sides after they were
 * forwarded, and closes the requests that will not be answered. Nothing of it reaches the traffic.
 */
export class MeteredExchange {
  readonly #asked: Asked;
  readonly #conversations: Conversations;
  readonly #number: number;
  readonly #now: () => Instant;
  readonly #failed: ExchangeMetering["failed"];
  readonly #at: Instant;
  #key: ConversationKey;
  #conversation: HttpConversation | undefined;
  #meter: ConversationMeter | undefined;
  #look: AnswerLook | undefined;
  #head: AnswerHead | undefined;
  #isOver = false;
  #hasFailed = false;

  constructor(asked: Asked, { conversations, number, now, failed }: ExchangeMetering) {
    this.#asked = asked;
    this.#conversations = conversations;
    this.#number = number;
    this.#now = now;
    this.#failed = failed;
    this.#at = now();
    this.#key = asked.key;
  }

  /** The request was forwarded. Without a body, and for `initialize`, the answer says which conversation it is. */
  begin(): Promise<void> {
    return this.#guarded(async () => {
      if (this.#asked.line && !this.#asked.isInitialize) await this.#join();
    });
  }

  /** The answer has begun. */
  answered(head: AnswerHead): Promise<void> {
    return this.#guarded(async () => {
      this.#head = head;
      await this.#learn(head);
      if (this.#meter) this.#look = lookAt(head.headers, (event) => this.#take(event));
    });
  }

  /** The functions that the relay of the answer's body calls. */
  readonly hooks: RelayHooks = {
    forwarded: (chunk) =>
      this.#guarded(async () => {
        if (!this.#look) return;
        await nextTurn();
        await this.#look.push(chunk);
        await this.#meter?.room();
      }),
    ended: (isWhole) => {
      void this.#guarded(async () => {
        await nextTurn();
        if (isWhole) await this.#look?.end();
        this.#end(this.#unanswered);
      });
    },
    left: () => {
      void this.#guarded(async () => this.#end(this.#leftOutcome));
    },
  };

  /** There is no answer: the server cannot be reached. */
  failed(): void {
    void this.#guarded(async () => this.#end("rpc_error"));
  }

  /** The conversation of a request that does not say it itself. */
  async #learn({ status, headers }: AnswerHead): Promise<void> {
    if (status >= 400) return;
    if (this.#asked.isInitialize) {
      const session = headers.get("mcp-session-id");
      this.#key = session === null ? { client: namelessClient } : { session };
      await this.#join();
    } else if (this.#asked.method === "GET" && isEventStream(headers)) {
      await this.#join();
    }
  }

  async #join(): Promise<void> {
    this.#conversation = this.#conversations.of(this.#key, this.#now().monoMs);
    this.#conversation.enter();
    this.#meter = await this.#conversation.meter();
    const { line } = this.#asked;
    if (line) this.#hand("client", line, this.#at);
  }

  #take(event: ServerEvent): void {
    if (this.#conversation?.isReplayed(event, this.#asked.isResumed) === true) return;
    // Servers answer a request that they reject with an error for no id.
    if (this.#isRejection && isAnonymousError(event)) return;
    this.#hand("server", event.line, this.#now());
  }

  #hand(from: "client" | "server", line: ServerEvent["line"], at: Instant): void {
    const exchange = this.#conversation?.exchange(this.#number);
    this.#meter?.take({ from, line, at, hasPassed: true, exchange });
  }

  get #isRejection(): boolean {
    return this.#head !== undefined && this.#head.status >= 400;
  }

  /** The outcome of requests whose exchange ends without an answer; undefined where one may come on another stream. */
  get #unanswered(): UnansweredOutcome | undefined {
    if (this.#isRejection) return "rpc_error";
    const isResumable = this.#look?.isResumable() === true;
    return this.#conversation?.isStateless === false && isResumable ? undefined : "abandoned";
  }

  /** In the modern era, a client cancels a request by leaving. */
  get #leftOutcome(): UnansweredOutcome | undefined {
    return this.#asked.isModern ? "cancelled" : this.#unanswered;
  }

  #end(outcome: UnansweredOutcome | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (outcome) this.#meter?.over(this.#number, outcome);
    this.#conversation?.leave(this.#now().monoMs);
    if (this.#endsConversation) this.#conversations.end(this.#key);
  }

  /** Runs a part of the metering; none of the rest once one has failed. */
  async #guarded(act: () => Promise<void>): Promise<void> {
    if (this.#hasFailed) return;
    try {
      await act();
    } catch (error) {
      this.#hasFailed = true;
      this.#failed(error instanceof Error ? error.name : "unknown");
    }
  }

  /** A session ends when the client asks for it, or when the server knows it no longer. */
  get #endsConversation(): boolean {
    if (!("session" in this.#key) || !this.#head) return false;
    const { status } = this.#head;
    return status === 404 || (this.#asked.method === "DELETE" && status < 300);
  }
}

/** Bytes that were handed over leave at the end of a turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isAnonymousError({ line }: ServerEvent): boolean {
  const message = parseMessage(line);
  return message.kind === "error" && message.id === undefined;
}
