import type { Instant } from "#calls/instant.ts";
import { type Effects, passed } from "#session/effects.ts";
import type { AnswerHead } from "#http-client/answer.ts";
import type { UnansweredOutcome } from "#session/event.ts";
import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/side.ts";
import { type AnswerLook, lookAt, readChunk } from "./answer-look.ts";
import { type Asked, namelessClient } from "./asked.ts";
import type { HttpConversation, ConversationMeter } from "./http-conversation.ts";
import type { ConversationKey, Conversations } from "./conversations.ts";
import { type BodyForm, bodyForm, isRejection, isUnreadable, withPlainType } from "./body-form.ts";
import type { ServerEvent } from "#endpoint/event-reader.ts";
import { ForwardedChunks } from "./forwarded-chunks.ts";
import { MeteringGuard } from "./metering-guard.ts";
import { MeteringQueue } from "./metering-queue.ts";
import { type MeteringTurns, nextTurn } from "./metering-turns.ts";
import { rejectionLine, rejectionText } from "./rejection.ts";
import type { RelayHooks } from "./relay.ts";
import { endsSession } from "./session-end.ts";
import { asItIs, isNothing, judge, type MessageVerdict, nothing } from "./verdict.ts";

/** Where an exchange is metered. */
export type ExchangeMetering = {
  readonly conversations: Conversations;
  /** No other exchange has it. */
  readonly number: number;
  readonly now: () => Instant;
  /** When messages that have passed are metered. */
  readonly turns: MeteringTurns;
  /** Metering failed; traffic continues. */
  readonly failed: (what: string) => void;
};

/**
 * The metering of one exchange of HTTP: finds its conversation, hands on the messages of both sides after they were
 * forwarded, or has them decided before, and closes the requests that will not be answered. No failure of it reaches the
 * traffic.
 */
export class MeteredExchange {
  readonly #asked: Asked;
  readonly #conversations: Conversations;
  readonly #number: number;
  readonly #now: () => Instant;
  readonly #turns: MeteringTurns;
  readonly #guard: MeteringGuard;
  readonly #at: Instant;
  #key: ConversationKey;
  #conversation: HttpConversation | undefined;
  #meter: ConversationMeter | undefined;
  #look: AnswerLook | undefined;
  #head: AnswerHead | undefined;
  /** The message of the request, which has passed and was not handed on. */
  #request: Line | undefined;
  /** When all of the answer passed, where it did so at once. */
  #answerAt: Instant | undefined;
  #isResumable = false;
  #isOver = false;
  readonly #chunks = new ForwardedChunks(async (chunk) => {
    let isFree = false;
    await this.#guard.run(async () => void (isFree = await this.#read(chunk)));
    return isFree;
  });

  constructor(asked: Asked, { conversations, number, now, turns, failed }: ExchangeMetering) {
    this.#asked = asked;
    this.#conversations = conversations;
    this.#number = number;
    this.#now = now;
    this.#turns = turns;
    this.#guard = new MeteringGuard(failed);
    this.#at = now();
    this.#key = asked.key;
  }

  /** The form of the server's answer; undefined for one that holds no message, or that is not metered. */
  get form(): BodyForm | undefined {
    return this.#meter && this.#head && bodyForm(this.#asked.method, this.#head);
  }

  /** True when messages of the server must be decided before they pass. */
  get holdsAnswer(): boolean {
    return this.form !== undefined && this.#meter?.holds("server") === true;
  }

  /** True when messages must be decided, and the answer is of a type in which clients differ. */
  get isUnreadable(): boolean {
    if (!this.#asked.isAwaited || !this.#head) return false;
    return this.#meter?.holds("server") === true && isUnreadable(this.#head);
  }

  /** The headers of an answer whose messages were decided: all clients find the same messages by them. */
  readable(headers: Headers): Headers {
    const isTyped = this.#asked.method !== "GET" && !this.#isRejection && this.form !== undefined;
    return isTyped ? withPlainType(headers) : headers;
  }

  /** True for an answer by which the client may get into that session, or is in it. */
  isOf(session: string): boolean {
    return this.#asked.isInitialize || ("session" in this.#key && this.#key.session === session);
  }

  /** True when the client waits for an answer with the id of its request. */
  get isAwaited(): boolean {
    return this.#asked.isRequest;
  }

  /** The verdict on the request, before it is forwarded and after `begin`. */
  admit(): Promise<MessageVerdict> {
    const { line } = this.#asked;
    if (!line || !this.#holdsRequest) return Promise.resolve(asItIs);
    return this.#guard.judge(() => judge(line, (message) => this.#decide("client", message)));
  }

  /** The verdict on the whole body of an answer. */
  judgeBody(body: Line): Promise<MessageVerdict> {
    return this.#guard.judge(async () => {
      const line = this.#isRejection ? this.#rejected(body, rejectionText) : body;
      const isStrict = this.#asked.isAwaited && !this.#isRejection;
      if (line) return judge(line, (message) => this.#decide("server", message), isStrict);
      // The text of a rejection of a batch belongs to none of its calls, so none pays for it.
      return this.#asked.isAwaited ? nothing : asItIs;
    });
  }

  /**
   * The verdict on an event of an answer: the same for one that a resumed stream brings once more, unless it answers another
   * request, of a client that has the same session.
   */
  judgeEvent(event: ServerEvent): Promise<MessageVerdict> {
    return this.#guard.judge(async () => {
      const { events, isStateless } = this.#conversation ?? {};
      const known =
        this.#asked.isResumed && isStateless === false ? events?.find(event) : undefined;
      const judged = judge(event.line, (message) => this.#decide("server", message));
      if (known && isNothing(await judged)) return known;
      events?.add(event, judged);
      return judged;
    });
  }

  /** The rest of the answer can come on another stream. */
  resumable(): void {
    this.#isResumable = true;
  }

  /** A promise while too much waits to be counted. */
  room(): Promise<void> | undefined {
    return this.#meter?.room();
  }

  /** The request was forwarded. Without a body, and for `initialize`, the answer says which conversation it is. */
  begin(): Promise<void> {
    return this.#guard.run(async () => {
      if (this.#asked.line && !this.#asked.isInitialize) await this.#join();
    });
  }

  /** The answer has begun. */
  answered(head: AnswerHead): Promise<void> {
    return this.#guard.run(async () => {
      this.#head = head;
      await this.#learn(head);
      const { form } = this;
      if (form && !this.holdsAnswer)
        this.#look = lookAt(form, head.headers, (event) => this.#take(event));
    });
  }

  /** The functions that the relay of the answer's body calls. */
  readonly hooks: RelayHooks = {
    forwarded: (chunk) => this.#look && this.#chunks.push(chunk),
    sent: (chunk) => this.#chunks.sent(chunk),
    forwardedWhole: (bytes) => {
      const at = this.#now();
      this.#meterLater(async () => {
        this.#answerAt = at;
        await this.#look?.push(bytes);
        await this.#look?.end();
        this.#end(this.#unanswered);
      });
    },
    ended: (isWhole) => {
      void this.#guard.run(async () => {
        await (this.#chunks.reading ?? nextTurn());
        await this.#conversation?.passed.run();
        if (isWhole) await this.#look?.end();
        this.#end(this.#unanswered);
      });
    },
    left: () => {
      void this.#guard.run(async () => {
        await this.#chunks.reading;
        await this.#conversation?.passed.run();
        this.#end(this.#leftOutcome);
      });
    },
  };

  /** There is no answer: the server cannot be reached. */
  failed(): void {
    void this.#guard.run(async () => {
      await this.#conversation?.passed.run();
      this.#end("rpc_error");
    });
  }

  /** The server leads the client to another of its addresses, where the same request comes again. */
  redirected(): void {
    void this.#guard.run(async () => {
      await this.#conversation?.passed.run();
      this.#meter?.redirected(this.#number);
      this.#end(undefined);
    });
  }

  /** Nothing was forwarded. */
  refused(): void {
    void this.#guard.run(async () => this.#end(undefined));
  }

  /** The conversation of a request that does not say it itself. */
  async #learn({ status, headers }: AnswerHead): Promise<void> {
    if (status >= 300) return;
    if (this.#asked.isInitialize) {
      const session = headers.get("mcp-session-id");
      this.#key = session === null ? { client: namelessClient } : { session };
      await this.#join();
    } else if (this.#asked.method === "GET") {
      await this.#join();
    }
  }

  async #join(): Promise<void> {
    this.#conversation = this.#conversations.of(this.#key, this.#now().monoMs);
    this.#conversation.enter();
    this.#meter = await this.#conversation.meter();
    const { line, isInitialize } = this.#asked;
    // `initialize` has passed: its answer says where it belongs.
    if (line && (isInitialize || !this.#holdsRequest)) this.#request = line;
    if (!this.#turns.isLate) this.#handRequest();
    else this.#meterLater(async () => this.#handRequest());
  }

  get #holdsRequest(): boolean {
    return this.#meter?.holds("client") === true;
  }

  /** True where nothing of the chunk is kept. */
  async #read(chunk: Uint8Array): Promise<boolean> {
    await this.#conversation?.passed.run();
    const isFree = this.#look !== undefined && (await readChunk(this.#look, chunk));
    await this.#meter?.room();
    return isFree;
  }

  #meterLater(act: () => Promise<void>): void {
    const queue = this.#conversation?.passed ?? new MeteringQueue();
    void queue.runLater(this.#turns, () => this.#guard.run(act));
  }

  /** Hands on the message of the request, once. */
  #handRequest(): void {
    const line = this.#request;
    this.#request = undefined;
    if (line) this.#hand("client", line, this.#at);
  }

  #take(event: ServerEvent): void {
    const { events } = this.#conversation ?? {};
    if (this.#asked.isResumed && events?.find(event)) return;
    events?.add(event, asItIs);
    const line = this.#isRejection ? this.#rejected(event.line, rejectionLine) : event.line;
    this.#handRequest();
    if (line) this.#hand("server", line, this.#answerAt ?? this.#now());
  }

  /** A rejection as the error that clients read; undefined where nothing awaits it, or it is too long. */
  #rejected(body: Line, read: typeof rejectionLine): Line | undefined {
    const { isRequest, line } = this.#asked;
    return isRequest && line ? read(body, line, this.#head?.status ?? 0) : undefined;
  }

  #decide(from: Side, line: Line): Effects | Promise<Effects> {
    if (!this.#meter || !this.#conversation) return passed;
    const at = from === "client" ? this.#at : this.#now();
    return this.#conversation.decide(this.#meter, { from, line, at }, this.#number);
  }

  #hand(from: "client" | "server", line: ServerEvent["line"], at: Instant): void {
    const exchange = this.#conversation?.exchange(this.#number);
    this.#meter?.take({ from, line, at, hasPassed: true, exchange });
  }

  get #isRejection(): boolean {
    return this.#head !== undefined && isRejection(this.#head);
  }

  /** The outcome of requests whose exchange ends without an answer; undefined where one may come on another stream. */
  get #unanswered(): UnansweredOutcome | undefined {
    if (this.#isRejection) return "rpc_error";
    const isResumable = this.#isResumable || this.#look?.isResumable() === true;
    return this.#conversation?.isStateless === false && isResumable ? undefined : "abandoned";
  }

  /** In the modern era, a client cancels a request by leaving. */
  get #leftOutcome(): UnansweredOutcome | undefined {
    return this.#asked.isModern ? "cancelled" : this.#unanswered;
  }

  #end(outcome: UnansweredOutcome | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handRequest();
    if (outcome) this.#meter?.over(this.#number, outcome);
    this.#conversation?.leave(this.#now().monoMs);
    if (this.#endsConversation) this.#conversations.end(this.#key);
  }

  get #endsConversation(): boolean {
    if (!("session" in this.#key) || !this.#head) return false;
    const isLimited = this.#meter?.holds("server") === true;
    return endsSession(this.#asked.method, this.#head.status, isLimited);
  }
}
