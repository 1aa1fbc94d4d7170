import type { Instant } from "#meter/calls/call.ts";
import type { ExchangeEndOutcome } from "#meter/session/event.ts";
import { type Effects, noEffects } from "#meter/session/decider.ts";
import { type AnswerHead, type RelayHooks, ForwardedChunks, nextTurn } from "./relay.ts";
import { makeUnclearRequestError } from "#meter/actions/refusal.ts";
import { type Line, messageBytesMin } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import {
  type AnswerReader,
  makeAnswerReader,
  type BodyForm,
  classifyBody,
  isRejection,
  hasUnsupportedType,
  simplifyContentType,
} from "./answer-body.ts";
import { type ParsedRequest, unnamedClient } from "./request-body.ts";
import type {
  HttpConversation,
  ConversationMeter,
  ConversationKey,
  Conversations,
} from "./http-conversation.ts";
import type { ServerEvent } from "#wire/endpoint/event-reader.ts";
import {
  wrapBatchRejection,
  readRejection,
  wrapRejection,
  passUnchanged,
  isWithheldSilently,
  judgeLine,
  judgeRequest,
  type MessageVerdict,
  nothingPasses,
} from "./verdict.ts";
import { MeteringGuard } from "./metering-guard.ts";

type ExchangeMetering = {
  readonly conversations: Conversations;
  readonly number: number;
  readonly now: () => Instant;
  readonly reportFailure: (what: string) => void;
  readonly reportOldTransport: () => void;
};

/** If metering fails, the traffic continues. */
export class MeteredExchange {
  readonly #request: ParsedRequest;
  readonly #metering: ExchangeMetering;
  readonly #guard: MeteringGuard;
  readonly #startedAt: Instant;
  #key: ConversationKey;
  #conversation: HttpConversation | undefined;
  #meter: ConversationMeter | undefined;
  #reader: AnswerReader | undefined;
  #head: AnswerHead | undefined;
  #isResumable = false;
  #isOver = false;
  readonly #chunks = new ForwardedChunks((chunk) => this.#guard.run(() => this.#meterChunk(chunk)));

  constructor(request: ParsedRequest, metering: ExchangeMetering) {
    this.#request = request;
    this.#metering = metering;
    this.#guard = new MeteringGuard(metering.reportFailure);
    this.#startedAt = metering.now();
    this.#key = request.key;
  }

  get form(): BodyForm | undefined {
    return this.#meter && this.#head && classifyBody(this.#request.method, this.#head);
  }

  get holdsAnswer(): boolean {
    return this.form !== undefined && this.#meter?.holds("server") === true;
  }

  get hasUnsupportedType(): boolean {
    if (!this.#request.isAwaited || !this.#head) return false;
    return this.#meter?.holds("server") === true && hasUnsupportedType(this.#head);
  }

  simplifyContentType(headers: Headers): Headers {
    const isMessageBody =
      this.#request.method !== "GET" && !this.#isRejection && this.form !== undefined;
    return isMessageBody ? simplifyContentType(headers) : headers;
  }

  ownsSession(session: string): boolean {
    return this.#request.isInitialize || ("session" in this.#key && this.#key.session === session);
  }

  get isRequest(): boolean {
    return this.#request.isRequest;
  }

  admit(): MessageVerdict | Promise<MessageVerdict> {
    const { line, isInitialize } = this.#request;
    // An ambiguous `initialize` is refused, because a server might read it as a tool call.
    const unclear = line && isInitialize ? makeUnclearRequestError(line) : undefined;
    if (unclear) return { ...nothingPasses, replies: [unclear] };
    if (!line || !this.#holdsRequest) return passUnchanged;
    return this.#guard.judge(() =>
      judgeRequest(line, (message) => this.#decide("client", message)),
    );
  }

  judgeBody(body: Line): MessageVerdict | Promise<MessageVerdict> {
    return this.#guard.judge(async () => {
      const line = this.#isRejection ? this.#toRejection(body, wrapRejection) : body;
      const isStrict = this.#request.isAwaited && !this.#isRejection;
      if (!line) return this.#request.isAwaited ? nothingPasses : passUnchanged;
      const verdict = await judgeLine(line, (message) => this.#decide("server", message), isStrict);
      // One body rejects all requests of a batch, so it passes for all of them or for none.
      const isBatchRejection = this.#isRejection && !verdict.passes && verdict.isBatch;
      return isBatchRejection ? { ...verdict, remaining: undefined } : verdict;
    });
  }

  // A repeated event keeps its verdict, unless it now answers another request.
  judgeEvent(event: ServerEvent): MessageVerdict | Promise<MessageVerdict> {
    if (isTooShort(event)) return passUnchanged;
    return this.#guard.judge(() => {
      const { events, isStateless } = this.#conversation ?? {};
      const knownVerdict =
        this.#request.isResumed && isStateless === false ? events?.find(event) : undefined;
      const verdict = judgeLine(event.line, (message) => this.#decide("server", message));
      if (!knownVerdict) {
        events?.add(event, verdict);
        return verdict;
      }
      const settle = (settled: MessageVerdict): MessageVerdict | Promise<MessageVerdict> => {
        if (isWithheldSilently(settled)) return knownVerdict;
        events?.add(event, settled);
        return settled;
      };
      return verdict instanceof Promise ? verdict.then(settle) : settle(verdict);
    });
  }

  markResumable(): void {
    this.#isResumable = true;
  }

  whenCaughtUp(): Promise<void> | undefined {
    return this.#meter?.whenCaughtUp();
  }

  // Only the answer shows which conversation `initialize` belongs to, and whether a GET joins one.
  begin(): Promise<void> {
    return this.#guard.run(async () => {
      if (this.#request.line && !this.#request.isInitialize) await this.#join();
    });
  }

  onAnswer(head: AnswerHead): Promise<void> {
    return this.#guard.run(async () => {
      this.#head = head;
      await this.#learnConversation(head);
      const { form } = this;
      if (!form || this.holdsAnswer) return;
      this.#reader = makeAnswerReader(form, head.headers.get("content-encoding"), (event) => {
        if (form === "whole" || !isTooShort(event)) this.#meterEvent(event);
      });
    });
  }

  readonly hooks: RelayHooks = {
    onChunk: (chunk) => this.#reader && this.#chunks.push(chunk),
    onEnd: (isWhole) => {
      void this.#guard.run(async () => {
        await (this.#chunks.reading ?? nextTurn());
        if (isWhole) await this.#reader?.end();
        this.#end(this.#unansweredOutcome);
      });
    },
    onLeave: () => {
      void this.#guard.run(async () => {
        await this.#chunks.reading;
        this.#end(this.#outcomeOnLeave);
      });
    },
  };

  onFailure(): void {
    void this.#guard.run(async () => {
      if (this.#request.isInitialize && !this.#conversation) {
        this.#key = { client: unnamedClient };
        await this.#join();
      }
      this.#end("rpc_error");
    });
  }

  // The client will repeat the request at another address of the server.
  onRedirect(): void {
    void this.#guard.run(async () => {
      this.#meter?.noteRedirect(this.#metering.number);
      this.#end(undefined);
    });
  }

  onRefusal(): void {
    void this.#guard.run(async () => this.#end(undefined));
  }

  async #learnConversation({ status, headers }: AnswerHead): Promise<void> {
    if (this.#request.isInitialize) {
      if (status >= 300 && !this.#isRejection) return;
      const session = status < 300 ? headers.get("mcp-session-id") : null;
      const { user } = this.#key;
      this.#key = session === null ? { client: unnamedClient, user } : { session, user };
      await this.#join();
    } else if (status < 300 && this.#request.method === "GET") {
      await this.#join();
    }
  }

  async #join(): Promise<void> {
    this.#conversation = this.#metering.conversations.findOrOpen(
      this.#key,
      this.#metering.now().monoMs,
    );
    this.#conversation.enter();
    this.#meter = await this.#conversation.whenOpen();
    const { line, isInitialize } = this.#request;
    // `initialize` has already passed, because only its answer identifies the conversation.
    if (line && (isInitialize || !this.#holdsRequest))
      this.#meterLine("client", line, this.#startedAt);
  }

  get #holdsRequest(): boolean {
    return this.#meter?.holds("client") === true;
  }

  async #meterChunk(chunk: Uint8Array): Promise<void> {
    await this.#reader?.push(chunk);
    if (this.#isOldTransport) {
      this.#metering.reportOldTransport();
      this.#reader = undefined;
    }
    await this.#meter?.whenCaughtUp();
  }

  get #isOldTransport(): boolean {
    return this.#request.method === "GET" && this.#reader?.firstEventType() === "endpoint";
  }

  #meterEvent(event: ServerEvent): void {
    if (this.#isOldTransport) return;
    const { events } = this.#conversation ?? {};
    if (this.#request.isResumed && events?.find(event)) return;
    events?.add(event, passUnchanged);
    const line = this.#isRejection ? this.#toRejection(event.line, readRejection) : event.line;
    if (line) this.#meterLine("server", line, this.#metering.now());
  }

  // Undefined if no request awaits the rejection, or if the rejection is too long.
  #toRejection(body: Line, convertSingle: typeof readRejection): Line | undefined {
    const { isAwaited, isRequest, line } = this.#request;
    if (!isAwaited || !line || !this.#head) return undefined;
    return (isRequest ? convertSingle : wrapBatchRejection)(body, line, this.#head);
  }

  #decide(from: Side, line: Line): Effects | Promise<Effects> {
    if (!this.#meter || !this.#conversation) return noEffects;
    const at = from === "client" ? this.#startedAt : this.#metering.now();
    return this.#conversation.decide(this.#meter, { from, line, at }, this.#metering.number);
  }

  #meterLine(from: "client" | "server", line: ServerEvent["line"], at: Instant): void {
    const exchange = this.#conversation?.makeExchange(this.#metering.number);
    this.#meter?.decide({ from, line, at, hasPassed: true, exchange });
  }

  get #isRejection(): boolean {
    return this.#head !== undefined && isRejection(this.#head);
  }

  // Undefined if an answer may still come on another stream.
  get #unansweredOutcome(): ExchangeEndOutcome | undefined {
    if (this.#isRejection) return "rpc_error";
    const isResumable = this.#isResumable || this.#reader?.isResumable() === true;
    return this.#conversation?.isStateless === false && isResumable ? undefined : "abandoned";
  }

  // A client of the stateless protocol cancels a request by disconnecting.
  get #outcomeOnLeave(): ExchangeEndOutcome | undefined {
    return this.#request.isModern ? "cancelled" : this.#unansweredOutcome;
  }

  #end(outcome: ExchangeEndOutcome | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (outcome) this.#meter?.endExchange(this.#metering.number, outcome);
    this.#conversation?.leave(this.#metering.now().monoMs);
    if (this.#endsConversation) this.#metering.conversations.end(this.#key);
  }

  get #endsConversation(): boolean {
    if (!("session" in this.#key) || !this.#head) return false;
    const holdsAnswers = this.#meter?.holds("server") === true;
    return endsSession(this.#request.method, this.#head.status, holdsAnswers);
  }
}

// While answers are held, only the client can end a session. Otherwise the server could reset budgets with a 404.
function endsSession(method: string, status: number, holdsAnswers: boolean): boolean {
  if (method === "DELETE") return status < 300 || status === 404;
  return status === 404 && !holdsAnswers;
}

// Skipping events that are too short for a message keeps a flood of them cheap.
function isTooShort({ line }: ServerEvent): boolean {
  return line.size < messageBytesMin;
}
