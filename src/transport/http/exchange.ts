import type { Instant } from "#meter/calls/call.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import {
  mayNameMethod,
  parseRequest,
  type MemoryShare,
  isCoded,
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
import { makeGatewayError, makeReplyAnswer, makeTextAnswer } from "./our-answers.ts";
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
import { httpSentences } from "./sentences.ts";
import { EventReader } from "#wire/endpoint/event-reader.ts";

export type ExchangeContext = {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly conversations: Conversations;
  readonly now: () => Instant;
  readonly reportFailure: (what: string) => void; // metering failed; traffic continues
  readonly reportAnswer: (answer: AnswerHead, request: RequestHead) => void;
  readonly reportUnreachable: (reason: string) => void;
  readonly reportForeignRedirect: (origin: string) => void; // to a server that is not metered
  readonly reportUnmeteredMessage: (path: string) => string; // returns the sentence
  readonly reportOldTransport: () => void; // HTTP+SSE, which is not metered
  readonly isGated: boolean; // messages may have to be decided before they pass
  readonly overflowPath: () => string;
  readonly userHeader?: string | undefined; // the header that names the user of a request
};

type Accepted = {
  readonly url: URL;
  readonly number: number; // of the exchange, counted from 1
  readonly reserve: MemoryShare["reserve"];
  readonly release: () => void; // call it when the exchange is over
};

const clientLeftStatus = 499;

/** Never rejects. Meters after forwarding, unless options require a decision first. */
export async function forwardExchange(
  request: Request,
  { reserve, ...accepted }: Accepted,
  context: ExchangeContext,
): Promise<Response> {
  const read = await readRequestBody(request, reserve);
  if (read.kind !== "read") {
    accepted.release();
    if (read.kind === "tooLong")
      return makeTextAnswer(413, httpSentences.requestTooLong(requestBytesMax));
    return read.kind === "memoryFull"
      ? makeTextAnswer(503, httpSentences.bodiesFull(heldRequestBytesMax))
      : makeTextAnswer(clientLeftStatus, "");
  }
  const exchange = new Exchange(request, { ...accepted, body: read.bytes }, context);
  try {
    return await exchange.answer();
  } catch (error) {
    exchange.onFailure();
    return makeTextAnswer(500, commonSentences.internalFailure(nameError(error)));
  }
}

type ReadRequest = Omit<Accepted, "reserve"> & { readonly body: Uint8Array | undefined };

type Admitted = {
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
  readonly #leaving = new AbortController();

  constructor(
    request: Request,
    { body, url, number, release }: ReadRequest,
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
    if (signal.aborted) this.#leaving.abort();
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
    const isUnmetered = this.#metered === undefined;
    // OAuth fetches its tokens from other paths.
    if (isGated && isUnmetered && isForm(body, headers)) return undefined;
    if (isGated && !isPlainJson(body, headers)) {
      return makeTextAnswer(415, httpSentences.requestUnreadable());
    }
    if (!isUnmetered || !(isGated ? mayNameMethod(body) : this.#isMessage)) return undefined;
    const sentence = reportUnmeteredMessage(url.pathname);
    return isGated ? makeGatewayError(this.#line, sentence) : undefined;
  }

  onFailure(): void {
    this.#release();
    this.#metered?.onFailure();
    this.#leaving.abort();
  }

  async #forward(): Promise<Response> {
    const metered = this.#metered;
    const answering = this.#send(this.#body);
    await metered?.begin();
    const answered = await answering;
    if ("reason" in answered) return this.#answerUnreachable(answered.reason);
    const { answer, isRepeated } = answered;
    if (isRepeated) metered?.onRedirect();
    await metered?.onAnswer(answer);
    return relayAnswer(answer, this.#hooks);
  }

  async #forwardGated(metered: MeteredExchange): Promise<Response> {
    const admitted = await this.#admit(metered);
    if (admitted instanceof Response) return admitted;
    const { body, replies } = admitted;
    const answered = await this.#send(body);
    if ("reason" in answered) return this.#answerUnreachable(answered.reason);
    const { answer, redirect } = answered;
    await metered.onAnswer(answer);
    if (redirect) return this.#answerRedirect(answered, redirect);
    const isHeld = metered.holdsAnswer || metered.isUnreadable || replies.length > 0;
    if (!isHeld) return relayAnswer(answer, this.#hooks);
    const opened = await this.#rejectOldTransport(answer);
    if (opened instanceof Response) return opened;
    const { onEnd, onLeave } = this.#hooks;
    const { overflowPath } = this.#context;
    const request = this.#line;
    return gateAnswer(opened, { metered, request, replies, overflowPath, onEnd, onLeave });
  }

  // The old transport begins its stream without a session.
  async #rejectOldTransport(answer: ServerAnswer): Promise<ServerAnswer | Response> {
    const { method, headers } = this.#request;
    const hasBegun = headers.has("mcp-session-id") || headers.has("mcp-protocol-version");
    if (method !== "GET" || hasBegun || !answer.body) return answer;
    const { isOld, body } = await peekStream(answer.body);
    if (!isOld) return { status: answer.status, headers: answer.headers, body };
    this.#context.reportOldTransport();
    this.#leaving.abort();
    this.#hooks.onEnd(true);
    return makeGatewayError(undefined, httpSentences.oldTransport(this.#context.upstream.shown));
  }

  // Returns our answer if nothing is forwarded.
  async #admit(metered: MeteredExchange): Promise<Response | Admitted> {
    await metered.begin();
    const verdict = await metered.admit();
    if (this.#leaving.signal.aborted) return makeTextAnswer(clientLeftStatus, "");
    if (verdict.passes) return { body: this.#body, replies: [] };
    const { remaining, replies } = verdict;
    if (remaining) return { body: remaining, replies };
    this.#release();
    metered.onRefusal();
    const replacement = makeReplacement(verdict);
    // The request's session ended while it waited.
    if (!replacement && metered.isRequest)
      return makeGatewayError(this.#line, httpSentences.sessionEnded());
    return makeReplyAnswer(replacement);
  }

  async #send(
    body: Uint8Array | undefined,
  ): Promise<RewrittenAnswer | { readonly reason: string }> {
    const { upstream, endpoint, isGated, reportAnswer, reportForeignRedirect } = this.#context;
    const request = this.#request;
    const isMetered = this.#metered !== undefined;
    const isJudged = isGated && isMetered;
    const { signal } = this.#leaving;
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
    const { answer, isRepeated } = rewritten;
    await answer.body?.cancel();
    if (isRepeated) this.#metered?.onRedirect();
    this.#hooks.onEnd(isRepeated);
    return gateRedirect(rewritten, redirect, this.#line, this.#context.upstream.shown);
  }

  #answerUnreachable(reason: string): Response {
    this.#release();
    const { aborted } = this.#leaving.signal;
    if (!aborted) this.#context.reportUnreachable(reason);
    if (aborted) this.#metered?.hooks.onLeave();
    else this.#metered?.onFailure();
    const { shown } = this.#context.upstream;
    return makeGatewayError(this.#line, commonSentences.upstreamUnreachable(shown, reason));
  }

  #leave(): void {
    this.#leaving.abort();
    // Held messages will not be forwarded any more.
    if (this.#context.isGated) this.#hooks.onLeave();
  }

  get #hooks(): RelayHooks {
    const metered = this.#metered;
    return {
      onChunk: (chunk) => metered?.hooks.onChunk(chunk),
      onEnd: (isWhole) => {
        this.#release();
        // When a client leaves, the request to the server is aborted, so the body breaks off.
        if (!isWhole && this.#leaving.signal.aborted) metered?.hooks.onLeave();
        else metered?.hooks.onEnd(isWhole);
      },
      onLeave: () => {
        this.#release();
        this.#leaving.abort();
        metered?.hooks.onLeave();
      },
    };
  }
}

function toLine(body: Uint8Array, headers: Headers): Line | undefined {
  if (body.length === 0 || isCoded(headers)) return undefined;
  const gatherer = new LineGatherer();
  gatherer.add(body);
  return gatherer.take();
}

// The old transport sends its first event together with the head.
const firstEventMaxMs = 500;

// The old transport sends nothing before its first event.
const firstEventBytesMax = 64 * 1024;

type PeekedStream = { readonly isOld: boolean; readonly body: ReadableStream<Uint8Array> };

// Detects the old HTTP+SSE transport (2024-11-05): its first event is `endpoint`.
async function peekStream(stream: ReadableStream<Uint8Array>): Promise<PeekedStream> {
  const [copy, body] = stream.tee();
  const source = copy.getReader();
  const reader = new EventReader(() => undefined);
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), firstEventMaxMs);
  try {
    for (let size = 0; reader.firstType === undefined && size < firstEventBytesMax;) {
      const read = await Promise.race([source.read(), late.promise]);
      if (!read?.value) break;
      reader.push(read.value.subarray(0, firstEventBytesMax));
      size += read.value.length;
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
