import type { Instant } from "#meter/calls/call.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import {
  mayNameMethod,
  parseRequest,
  type MemoryShare,
  hasContentCoding,
  isForm,
  isPlainJson,
  readRequestBody,
  heldRequestBytesMax,
  requestBytesMax,
} from "./request-body.ts";
import type { Conversations } from "./http-conversation.ts";
import { gateAnswer, gateRedirect } from "./gated/gated-answer.ts";
import { dropUnsafeHeaders } from "./headers.ts";
import { MeteredExchange } from "./metered-exchange.ts";
import { makeGatewayError, makeMessagesAnswer, makeTextAnswer } from "./our-answers.ts";
import { httpSentences } from "./sentences.ts";
import {
  rewriteRedirect,
  type RewrittenAnswer,
  type EndpointPaths,
  type Redirect,
} from "./redirects.ts";
import {
  relayAnswer,
  type RelayHooks,
  type AnswerHead,
  send,
  type ServerAnswer,
  nextTurn,
  type RequestHead,
} from "./relay.ts";
import { makeReplacement } from "./verdict.ts";
import { commonSentences } from "#kit/sentences.ts";
import { nameError } from "#kit/errors.ts";
import { EventReader } from "#wire/endpoint/event-reader.ts";

export type Notices = {
  readonly reportFailure: (what: string) => void; // metering failed; traffic continues
  readonly reportAnswer: (answer: AnswerHead, request: RequestHead) => void;
  readonly reportUnreachable: (reason: string) => void;
  readonly reportForeignRedirect: (origin: string) => void; // to a server that is not metered
  readonly reportUnmeteredMessage: (path: string) => string; // returns a sentence for the client
  readonly reportOldTransport: () => void; // HTTP+SSE, which is not metered
};

export type ExchangeContext = Notices & {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly conversations: Conversations;
  readonly now: () => Instant;
  readonly isGated: boolean; // messages may be held for a decision
  readonly overflowPath: () => string;
  readonly userHeader?: string | undefined;
};

type AcceptedRequest = {
  readonly url: URL;
  readonly number: number; // of the exchange, counted from 1
  readonly reserve: MemoryShare["reserve"];
  readonly release: () => void; // call it when the exchange is over
};

const clientLeftStatus = 499;

/** Never throws. Meters after forwarding, unless options require a decision first. */
export async function forwardExchange(
  request: Request,
  { reserve, ...accepted }: AcceptedRequest,
  context: ExchangeContext,
): Promise<Response> {
  const body = await readRequestBody(request, reserve);
  if (body.kind !== "complete") {
    accepted.release();
    if (body.kind === "tooLong")
      return makeTextAnswer(413, httpSentences.requestTooLong(requestBytesMax));
    return body.kind === "memoryFull"
      ? makeTextAnswer(503, httpSentences.bodiesFull(heldRequestBytesMax))
      : makeTextAnswer(clientLeftStatus, "");
  }
  const exchange = new Exchange(request, { ...accepted, body: body.bytes }, context);
  try {
    return await exchange.answer();
  } catch (error) {
    exchange.onFailure();
    return makeTextAnswer(500, commonSentences.internalFailure(nameError(error)));
  }
}

type ReceivedRequest = Omit<AcceptedRequest, "reserve"> & { readonly body: Uint8Array | undefined };

type Admission = {
  readonly body: Uint8Array | undefined;
  readonly replies: readonly Uint8Array[]; // our refusals of other requests in the same batch
};

class Exchange {
  readonly #request: RequestHead;
  readonly #body: Uint8Array | undefined;
  readonly #line: Line | undefined;
  readonly #context: ExchangeContext;
  readonly #release: () => void;
  readonly #metered: MeteredExchange | undefined;
  readonly #isMessage: boolean;
  readonly #abortController = new AbortController();

  constructor(
    request: Request,
    { body, url, number, release }: ReceivedRequest,
    context: ExchangeContext,
  ) {
    const { method, headers, signal } = request;
    this.#request = { method, headers, url };
    this.#body = body;
    this.#line = body && toLine(body, headers);
    this.#context = context;
    this.#release = release;
    const isMetered = context.endpoint.has(this.#request.url);
    const parsed = parseRequest(this.#request, this.#line, context.userHeader);
    this.#isMessage = parsed.isMessage;
    this.#metered = isMetered ? new MeteredExchange(parsed, { ...context, number }) : undefined;
    if (signal.aborted) this.#abortController.abort();
    else signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  async answer(): Promise<Response> {
    const refusal = this.#refuse();
    if (refusal) {
      this.#release();
      return refusal;
    }
    return this.#metered && this.#context.isGated
      ? this.#forwardGated(this.#metered)
      : this.#forward();
  }

  #refuse(): Response | undefined {
    const { isGated, reportUnmeteredMessage } = this.#context;
    const { url, headers } = this.#request;
    const body = this.#body;
    if (!body || body.length === 0) return undefined;
    // OAuth clients send forms to other paths to get their tokens.
    if (isGated && !this.#metered && isForm(body, headers)) return undefined;
    if (isGated && !isPlainJson(body, headers)) {
      return makeTextAnswer(415, httpSentences.requestUnreadable());
    }
    if (this.#metered) return undefined;
    const mayBeMessage = isGated ? mayNameMethod(body) : this.#isMessage;
    if (!mayBeMessage) return undefined;
    const sentence = reportUnmeteredMessage(url.pathname);
    return isGated ? makeGatewayError(this.#line, sentence) : undefined;
  }

  onFailure(): void {
    this.#release();
    this.#metered?.onFailure();
    this.#abortController.abort();
  }

  async #forward(): Promise<Response> {
    const metered = this.#metered;
    const sending = this.#send(this.#body);
    await metered?.begin();
    const outcome = await sending;
    if ("reason" in outcome) return this.#answerUnreachable(outcome.reason);
    const { answer, clientRepeats } = outcome;
    if (clientRepeats) metered?.onRedirect();
    await metered?.onAnswer(answer);
    return relayAnswer(answer, this.#hooks);
  }

  async #forwardGated(metered: MeteredExchange): Promise<Response> {
    const admission = await this.#admit(metered);
    if (admission instanceof Response) return admission;
    const { body, replies } = admission;
    const outcome = await this.#send(body);
    if ("reason" in outcome) return this.#answerUnreachable(outcome.reason);
    const { answer, redirect } = outcome;
    await metered.onAnswer(answer);
    if (redirect) return this.#answerRedirect(outcome, redirect);
    const isHeld = metered.holdsAnswer || metered.hasUnsupportedType || replies.length > 0;
    if (!isHeld) return relayAnswer(answer, this.#hooks);
    const checkedAnswer = await this.#rejectOldTransport(answer);
    if (checkedAnswer instanceof Response) return checkedAnswer;
    const { onEnd, onLeave } = this.#hooks;
    const { overflowPath } = this.#context;
    const request = this.#line;
    return gateAnswer(checkedAnswer, { metered, request, replies, overflowPath, onEnd, onLeave });
  }

  // A client of the old transport opens its stream with a GET that names neither a session nor a protocol version.
  async #rejectOldTransport(answer: ServerAnswer): Promise<ServerAnswer | Response> {
    const { method, headers } = this.#request;
    const hasBegun = headers.has("mcp-session-id") || headers.has("mcp-protocol-version");
    if (method !== "GET" || hasBegun || !answer.body) return answer;
    const { isOld, body } = await peekStream(answer.body);
    if (!isOld) return { status: answer.status, headers: answer.headers, body };
    this.#context.reportOldTransport();
    this.#abortController.abort();
    this.#hooks.onEnd(true);
    return makeGatewayError(undefined, httpSentences.oldTransport(this.#context.upstream.shown));
  }

  async #admit(metered: MeteredExchange): Promise<Response | Admission> {
    await metered.begin();
    const verdict = await metered.admit();
    if (this.#abortController.signal.aborted) {
      this.#hooks.onLeave();
      return makeTextAnswer(clientLeftStatus, "");
    }
    if (verdict.passes) return { body: this.#body, replies: [] };
    const { remaining, replies } = verdict;
    if (remaining) return { body: remaining, replies };
    this.#release();
    metered.onRefusal();
    const replacement = makeReplacement(verdict);
    // The request was cancelled, or its session ended, while it waited.
    if (!replacement && metered.isRequest)
      return makeGatewayError(this.#line, httpSentences.sessionEnded());
    return makeMessagesAnswer(replacement);
  }

  async #send(
    body: Uint8Array | undefined,
  ): Promise<RewrittenAnswer | { readonly reason: string }> {
    const { upstream, endpoint, isGated, reportAnswer, reportForeignRedirect } = this.#context;
    const request = this.#request;
    const isMetered = this.#metered !== undefined;
    const isJudged = isGated && isMetered;
    const { signal } = this.#abortController;
    const answer = await send(upstream, { request, body, signal, isGated: isJudged });
    if ("reason" in answer) return answer;
    reportAnswer(answer, request);
    const rewriting = { upstream, endpoint, request, isMetered };
    const safe = isJudged ? this.#dropUnsafeHeaders(answer) : answer;
    const rewritten = rewriteRedirect(safe, rewriting);
    if (isMetered && rewritten.redirect?.kind === "outside")
      reportForeignRedirect(rewritten.redirect.origin);
    return rewritten;
  }

  #dropUnsafeHeaders({ status, headers, body }: ServerAnswer): ServerAnswer {
    const isOwn = (session: string): boolean => this.#metered?.ownsSession(session) === true;
    return { status, headers: dropUnsafeHeaders(headers, isOwn), body };
  }

  async #answerRedirect(rewritten: RewrittenAnswer, redirect: Redirect): Promise<Response> {
    const { answer, clientRepeats } = rewritten;
    await answer.body?.cancel();
    if (clientRepeats) this.#metered?.onRedirect();
    // The answer counts as broken off unless the client repeats the request.
    this.#hooks.onEnd(clientRepeats);
    return gateRedirect(rewritten, redirect, this.#line, this.#context.upstream.shown);
  }

  #answerUnreachable(reason: string): Response {
    this.#release();
    const { aborted } = this.#abortController.signal;
    if (!aborted) this.#context.reportUnreachable(reason);
    if (aborted) this.#metered?.hooks.onLeave();
    else this.#metered?.onFailure();
    const { shown } = this.#context.upstream;
    return makeGatewayError(this.#line, commonSentences.upstreamUnreachable(shown, reason));
  }

  #leave(): void {
    this.#abortController.abort();
    // While a request waits for a decision, nothing else reports that the client has left.
    if (this.#context.isGated) this.#hooks.onLeave();
  }

  get #hooks(): RelayHooks {
    const metered = this.#metered;
    return {
      onChunk: (chunk) => metered?.hooks.onChunk(chunk),
      onEnd: (isWhole) => {
        this.#release();
        // When a client leaves, the request to the server is aborted, so the body breaks off.
        if (!isWhole && this.#abortController.signal.aborted) metered?.hooks.onLeave();
        else metered?.hooks.onEnd(isWhole);
      },
      onLeave: () => {
        this.#release();
        this.#abortController.abort();
        metered?.hooks.onLeave();
      },
    };
  }
}

function toLine(body: Uint8Array, headers: Headers): Line | undefined {
  if (body.length === 0 || hasContentCoding(headers)) return undefined;
  const gatherer = new LineGatherer();
  gatherer.add(body);
  return gatherer.take();
}

// A short wait suffices: the old transport sends its first event together with the head of the answer.
const firstEventMaxMs = 500;

const firstEventBytesMax = 64 * 1024;

type PeekedStream = { readonly isOld: boolean; readonly body: ReadableStream<Uint8Array> };

// Detects the old HTTP+SSE transport (2024-11-05): its first event is `endpoint`.
async function peekStream(stream: ReadableStream<Uint8Array>): Promise<PeekedStream> {
  const [copy, body] = stream.tee();
  const source = copy.getReader();
  const reader = new EventReader(() => undefined);
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), firstEventMaxMs);
  try {
    for (let size = 0; reader.firstType === undefined && size < firstEventBytesMax;) {
      const result = await Promise.race([source.read(), timeout.promise]);
      if (!result?.value) break;
      reader.push(result.value.subarray(0, firstEventBytesMax));
      size += result.value.length;
      // A stream that never pauses would keep the timer from firing.
      await nextTurn();
    }
  } catch {
    // The other branch of the tee reports the same failure.
  } finally {
    clearTimeout(timer);
    void source.cancel().catch(() => undefined);
  }
  return { isOld: reader.firstType === "endpoint", body };
}
