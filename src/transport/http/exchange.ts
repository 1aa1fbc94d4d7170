import type { Instant } from "#meter/calls/call.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import {
  namesMethod,
  readAsked,
  type BodyShare,
  isCoded,
  isForm,
  isPlainJson,
  readRequestBody,
} from "./request-body.ts";
import type { Conversations } from "./http-conversation.ts";
import { gatedAnswer, gatedRedirect } from "./gated/gated-answer.ts";
import { boundedHeaders } from "./headers.ts";
import { MeteredExchange } from "./metered-exchange.ts";
import { gatewayAnswer, ownAnswer, textAnswer, unreachableAnswer } from "./own-answers.ts";
import {
  directAnswer,
  type DirectedAnswer,
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
} from "./relay.ts";
import { insteadOf } from "./verdict.ts";
import { httpSentences } from "./sentences.ts";
import { transportSentences } from "../sentences.ts";
import { EventReader } from "#wire/endpoint/event-reader.ts";

export type RequestHead = { readonly method: string; readonly url: URL; readonly headers: Headers };

export type ExchangeParts = {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly conversations: Conversations;
  readonly now: () => Instant;
  /** Metering failed; traffic continues. */
  readonly failed: (what: string) => void;
  readonly answered: (answer: AnswerHead, request: RequestHead) => void;
  readonly unreachable: (reason: string) => void;
  /** The server redirects to that origin, where nothing is metered. */
  readonly leaves: (origin: string) => void;
  /** A message was sent to that path, which is not metered; returns the sentence that says so. */
  readonly astray: (path: string) => string;
  /** The server speaks the old HTTP+SSE transport, which is not metered. */
  readonly oldTransport: () => void;
  /** True when messages may have to be decided before they pass. */
  readonly isGated: boolean;
  /** A path for a file without a name, for messages that are held and too long for memory. */
  readonly overflowPath: () => string;
};

type Accepted = {
  readonly url: URL;
  readonly number: number;
  readonly grow: BodyShare["grow"];
  readonly over: () => void;
};

/** Status of an answer that is read by no one: the client has left. */
const clientLeft = 499;

/** Forwards bodies byte for byte, and meters them afterwards; where the options call for it, decides about their messages before. Does not reject. */
export async function forwardExchange(
  request: Request,
  { grow, ...accepted }: Accepted,
  parts: ExchangeParts,
): Promise<Response> {
  const read = await readRequestBody(request, grow);
  if (read.kind !== "read") {
    accepted.over();
    if (read.kind === "tooLong") return textAnswer(413, httpSentences.requestTooLong());
    return read.kind === "full"
      ? textAnswer(503, httpSentences.bodiesFull())
      : textAnswer(clientLeft, "");
  }
  const exchange = new Exchange(request, { ...accepted, body: read.bytes }, parts);
  try {
    return await exchange.answer();
  } catch (error) {
    exchange.failed();
    return textAnswer(
      500,
      transportSentences.internalFailure(error instanceof Error ? error.name : ""),
    );
  }
}

type Begun = Omit<Accepted, "grow"> & { readonly body: Uint8Array | undefined };

type Admitted = {
  readonly body: Uint8Array | undefined;
  readonly besides: readonly Uint8Array[];
};

class Exchange {
  readonly #request: RequestHead;
  readonly #body: Uint8Array | undefined;
  readonly #line: Line | undefined;
  readonly #parts: ExchangeParts;
  readonly #over: () => void;
  readonly #metered: MeteredExchange | undefined;
  readonly #isMessage: boolean;
  /** Aborted when the client leaves, which ends the request at the server. */
  readonly #leaving = new AbortController();

  constructor(request: Request, { body, url, number, over }: Begun, parts: ExchangeParts) {
    const { method, headers, signal } = request;
    this.#request = { method, headers, url };
    this.#body = body;
    this.#line = body && lineOf(body, headers);
    this.#parts = parts;
    this.#over = over;
    const isMetered = parts.endpoint.has(this.#request.url);
    const asked = readAsked(method, headers, this.#line);
    this.#isMessage = asked.isMessage;
    this.#metered = isMetered ? new MeteredExchange(asked, { ...parts, number }) : undefined;
    if (signal.aborted) this.#leaving.abort();
    else signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  async answer(): Promise<Response> {
    const refusal = this.#refusal();
    if (refusal) {
      this.#over();
      return refusal;
    }
    return this.#metered && this.#parts.isGated ? this.#gated(this.#metered) : this.#open();
  }

  /** The answer to a body that limits cannot hold for; reports a message to a path that is not metered. */
  #refusal(): Response | undefined {
    const { isGated, astray } = this.#parts;
    const { url, headers } = this.#request;
    const body = this.#body;
    if (!body || body.length === 0) return undefined;
    const isElsewhere = this.#metered === undefined;
    // OAuth gets its tokens at other paths.
    if (isGated && isElsewhere && isForm(body, headers)) return undefined;
    if (isGated && !isPlainJson(body, headers)) {
      return textAnswer(415, httpSentences.requestUnreadable());
    }
    if (!isElsewhere || !(isGated ? namesMethod(body) : this.#isMessage)) return undefined;
    const sentence = astray(url.pathname);
    return isGated ? gatewayAnswer(this.#line, sentence) : undefined;
  }

  failed(): void {
    this.#over();
    this.#metered?.failed();
    this.#leaving.abort();
  }

  /** The request is forwarded before it is metered. */
  async #open(): Promise<Response> {
    const metered = this.#metered;
    const answering = this.#send(this.#body);
    await metered?.begin();
    const answered = await answering;
    if ("reason" in answered) return this.#unreachable(answered.reason);
    const { answer, isAskedAgain } = answered;
    if (isAskedAgain) metered?.redirected();
    await metered?.answered(answer);
    return relayAnswer(answer, this.#hooks);
  }

  async #gated(metered: MeteredExchange): Promise<Response> {
    const admitted = await this.#admitted(metered);
    if (admitted instanceof Response) return admitted;
    const { body, besides } = admitted;
    const answered = await this.#send(body);
    if ("reason" in answered) return this.#unreachable(answered.reason);
    const { answer, redirect } = answered;
    await metered.answered(answer);
    if (redirect) return this.#redirected(answered, redirect);
    const isHeld = metered.holdsAnswer || metered.isUnreadable || besides.length > 0;
    if (!isHeld) return relayAnswer(answer, this.#hooks);
    const opened = await this.#opened(answer);
    if (opened instanceof Response) return opened;
    const { ended, left } = this.#hooks;
    const { overflowPath } = this.#parts;
    return gatedAnswer(opened, { metered, asked: this.#line, besides, overflowPath, ended, left });
  }

  /** The answer, or our own where it is a stream of the old transport, which begins without a session. */
  async #opened(answer: ServerAnswer): Promise<ServerAnswer | Response> {
    const { method, headers } = this.#request;
    const hasBegun = headers.has("mcp-session-id") || headers.has("mcp-protocol-version");
    if (method !== "GET" || hasBegun || !answer.body) return answer;
    const { isOld, body } = await openStream(answer.body);
    if (!isOld) return { status: answer.status, headers: answer.headers, body };
    this.#parts.oldTransport();
    this.#leaving.abort();
    this.#hooks.ended(true);
    return gatewayAnswer(undefined, httpSentences.oldTransport(this.#parts.upstream.shown));
  }

  /** The body to forward, and our answers to the rest of the request; the answer where nothing is forwarded. */
  async #admitted(metered: MeteredExchange): Promise<Response | Admitted> {
    await metered.begin();
    const verdict = await metered.admit();
    if (this.#leaving.signal.aborted) return textAnswer(clientLeft, "");
    if (verdict.passes) return { body: this.#body, besides: [] };
    const { rest, ours } = verdict;
    if (rest) return { body: rest, besides: ours };
    this.#over();
    metered.refused();
    const instead = insteadOf(verdict);
    // Its session ended while it waited.
    if (!instead && metered.isAwaited)
      return gatewayAnswer(this.#line, httpSentences.sessionEnded());
    return ownAnswer(instead);
  }

  async #send(body: Uint8Array | undefined): Promise<DirectedAnswer | { readonly reason: string }> {
    const { upstream, endpoint, isGated, answered, leaves } = this.#parts;
    const request = this.#request;
    const isMetered = this.#metered !== undefined;
    const isRead = isGated && isMetered;
    const { signal } = this.#leaving;
    const answer = await send(upstream, { request, body, signal, isGated: isRead });
    if ("reason" in answer) return answer;
    answered(answer, request);
    const asked = { upstream, endpoint, request, isMetered };
    const one = directAnswer(isRead ? this.#bounded(answer) : answer, asked);
    if (isMetered && one.redirect?.kind === "outside") leaves(one.redirect.origin);
    return one;
  }

  /** The answer without headers by which a server could evade limits. */
  #bounded({ status, headers, body }: ServerAnswer): ServerAnswer {
    const isOwn = (session: string): boolean => this.#metered?.isOf(session) === true;
    return { status, headers: boundedHeaders(headers, isOwn), body };
  }

  async #redirected(one: DirectedAnswer, redirect: Redirect): Promise<Response> {
    const { answer, isAskedAgain } = one;
    await answer.body?.cancel();
    if (isAskedAgain) this.#metered?.redirected();
    this.#hooks.ended(isAskedAgain);
    return gatedRedirect(one, redirect, this.#line, this.#parts.upstream.shown);
  }

  #unreachable(reason: string): Response {
    this.#over();
    const { aborted } = this.#leaving.signal;
    if (!aborted) this.#parts.unreachable(reason);
    if (aborted) this.#metered?.hooks.left();
    else this.#metered?.failed();
    return unreachableAnswer(this.#line, this.#parts.upstream.shown, reason);
  }

  #leave(): void {
    this.#leaving.abort();
    // Messages that are kept will not be forwarded.
    if (this.#parts.isGated) this.#hooks.left();
  }

  get #hooks(): RelayHooks {
    const metered = this.#metered;
    return {
      forwarded: (chunk) => metered?.hooks.forwarded(chunk),
      ended: (isWhole) => {
        this.#over();
        // A client that leaves ends the request at the server, which breaks the body off.
        if (!isWhole && this.#leaving.signal.aborted) metered?.hooks.left();
        else metered?.hooks.ended(isWhole);
      },
      left: () => {
        this.#over();
        this.#leaving.abort();
        metered?.hooks.left();
      },
    };
  }
}

/** The message of a request; undefined where it is empty or coded. */
function lineOf(body: Uint8Array, headers: Headers): Line | undefined {
  if (body.length === 0 || isCoded(headers)) return undefined;
  const gatherer = new LineGatherer();
  gatherer.add(body);
  return gatherer.take();
}

// Where limits are enforced: the old transport sends the first event with its head.
const firstEventMaxMs = 500;

// The old transport sends nothing before its first event.
const firstEventBytesMax = 64 * 1024;

type OpenedStream = { readonly isOld: boolean; readonly body: ReadableStream<Uint8Array> };

/** Waits a moment for the first event of a stream: is it the `endpoint` of the old HTTP+SSE transport (2024-11-05), whose messages pass elsewhere? */
async function openStream(stream: ReadableStream<Uint8Array>): Promise<OpenedStream> {
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
      // A stream that never waits would keep the timer from ending it.
      await nextTurn();
    }
  } catch {
    // The body fails in the same way.
  } finally {
    clearTimeout(timer);
    void source.cancel().catch(() => undefined);
  }
  return { isOld: reader.firstType === "endpoint", body };
}
