import type { Instant } from "#calls/instant.ts";
import { sentences } from "#errors.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import { readAsked } from "./asked.ts";
import type { Conversations } from "./conversations.ts";
import { type DirectedAnswer, directed } from "./directed-answer.ts";
import { gatedAnswer } from "./gated/gated-answer.ts";
import { gatedRedirect } from "./gated/gated-redirect.ts";
import { boundedHeaders } from "./headers.ts";
import { MeteredExchange } from "./metered-exchange.ts";
import { gatewayAnswer, ownAnswer, textAnswer, unreachableAnswer } from "./own-answers.ts";
import type { MeteringTurns } from "./metering-turns.ts";
import { relayAnswer, type RelayHooks } from "./relay.ts";
import { send } from "./send.ts";
import type { EndpointPaths, Redirect } from "./redirects.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import type { ClientAnswer, ClientRequest } from "#http-server/client-request.ts";
import { Leaving } from "#http1/leaving.ts";
import type { AnswerHead, AskServer, ServerAnswer } from "#http-client/answer.ts";
import { insteadOf } from "./verdict.ts";

/** The address and head of a request. */
export type AskedAddress = Pick<ClientRequest, "method" | "url" | "headers">;

/** Everything that exchanges share. */
export type ExchangeParts = {
  readonly upstream: McpEndpoint;
  readonly ask: AskServer;
  readonly endpoint: EndpointPaths;
  readonly conversations: Conversations;
  readonly now: () => Instant;
  /** Metering failed; traffic continues. */
  readonly failed: (what: string) => void;
  /** Called with the head of each answer of the server. */
  readonly answered: (answer: AnswerHead, request: AskedAddress) => void;
  /** The server cannot be reached. */
  readonly unreachable: (reason: string) => void;
  /** The server redirects to that origin, where nothing is metered. */
  readonly leaves: (origin: string) => void;
  /** A message was sent to that path, which is not metered. */
  readonly astray: (path: string) => void;
  /** True when messages may have to be decided before they pass. */
  readonly isGated: boolean;
  /** When exchanges are metered. */
  readonly turns: MeteringTurns;
  /** A path for a file without a name, for messages that are held and too long for memory. */
  readonly overflowPath: () => string;
};

/** Status of an answer that is read by no one: the client has left. */
const clientLeft = 499;

/**
 * Forwards a request and its answer, bodies byte for byte, and meters them after they were forwarded; where the options call
 * for it, decides about their messages before. Does not reject.
 */
export async function forwardExchange(
  request: ClientRequest,
  { number, grow, over }: Accepted,
  parts: ExchangeParts,
): Promise<ClientAnswer> {
  const body = await bodyOf(request, grow);
  if (body === "gone") {
    over();
    return textAnswer(clientLeft, "");
  }
  const exchange = new Exchange(request, { body, number, over }, parts);
  try {
    return await exchange.answer();
  } catch (error) {
    exchange.failed();
    return textAnswer(500, sentences.internalFailure(error instanceof Error ? error.name : ""));
  }
}

/** The whole body: one message, which the server needs whole too. */
async function bodyOf(
  request: ClientRequest,
  grow: Accepted["grow"],
): Promise<Uint8Array | undefined | "gone"> {
  try {
    return await request.body(grow);
  } catch {
    return "gone";
  }
}

/** A request that is forwarded. */
export type Accepted = {
  readonly number: number;
  /** Asked as its body grows; false where there is no room for that number of bytes. */
  readonly grow: (bytes: number) => boolean;
  /** Called when the exchange has ended. */
  readonly over: () => void;
};

type Begun = Pick<Accepted, "number" | "over"> & { readonly body: Uint8Array | undefined };

type Admitted = {
  readonly body: Uint8Array | undefined;
  readonly besides: readonly Uint8Array[];
};

/** A request whose body is read, and its answer. */
class Exchange {
  readonly #request: ClientRequest;
  readonly #body: Uint8Array | undefined;
  readonly #line: Line | undefined;
  readonly #parts: ExchangeParts;
  readonly #over: () => void;
  /** Undefined for a path that is not metered. */
  readonly #metered: MeteredExchange | undefined;
  /** True for a message to a path that is not metered. */
  readonly #isAstray: boolean;
  readonly #leaving = new Leaving();

  constructor(request: ClientRequest, { body, number, over }: Begun, parts: ExchangeParts) {
    this.#request = request;
    this.#body = body;
    this.#line = body && lineOf(body, request.headers);
    this.#parts = parts;
    this.#over = over;
    const isMetered = parts.endpoint.has(request.url);
    const asked = readAsked(request.method, request.headers, this.#line);
    this.#isAstray = !isMetered && asked.isMessage;
    this.#metered = isMetered ? new MeteredExchange(asked, { ...parts, number }) : undefined;
    request.leaving.onLeave(() => this.#leave());
  }

  async answer(): Promise<ClientAnswer> {
    if (this.#isAstray) {
      const { pathname } = this.#request.url;
      this.#parts.astray(pathname);
      if (this.#parts.isGated) {
        this.#over();
        return gatewayAnswer(this.#line, sentences.pathUnmetered(pathname));
      }
    }
    return this.#metered && this.#parts.isGated ? this.#gated(this.#metered) : this.#open();
  }

  /** It has no answer, because our code failed: nothing of it stays open. */
  failed(): void {
    this.#over();
    this.#metered?.failed();
    this.#leaving.leave();
  }

  /** The request is forwarded before it is metered. */
  async #open(): Promise<ClientAnswer> {
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

  /** The messages of the request are decided before it is forwarded, and those of the answer before it is handed on. */
  async #gated(metered: MeteredExchange): Promise<ClientAnswer> {
    const admitted = await this.#admitted(metered);
    if ("status" in admitted) return admitted;
    const { body, besides } = admitted;
    const answered = await this.#send(body);
    if ("reason" in answered) return this.#unreachable(answered.reason);
    const { answer, redirect } = answered;
    await metered.answered(answer);
    if (redirect) return this.#redirected(answered, redirect);
    const isHeld = metered.holdsAnswer || metered.isUnreadable || besides.length > 0;
    if (!isHeld) return relayAnswer(answer, this.#hooks);
    const { ended, left } = this.#hooks;
    const { overflowPath } = this.#parts;
    return gatedAnswer(answer, { metered, asked: this.#line, besides, overflowPath, ended, left });
  }

  /** The body to forward, and our answers to the rest of the request; the answer where nothing is forwarded. */
  async #admitted(metered: MeteredExchange): Promise<ClientAnswer | Admitted> {
    const body = this.#body;
    if (body && body.length > 0 && !this.#line) {
      this.#over();
      return textAnswer(415, sentences.requestCoded());
    }
    await metered.begin();
    const verdict = await metered.admit();
    if (this.#request.leaving.hasLeft) return textAnswer(clientLeft, "");
    if (verdict.passes) return { body, besides: [] };
    const { rest, ours } = verdict;
    if (rest) return { body: rest, besides: ours };
    this.#over();
    metered.refused();
    const instead = insteadOf(verdict);
    // Its session ended while it waited.
    if (!instead && metered.isAwaited) return gatewayAnswer(this.#line, sentences.sessionEnded());
    return ownAnswer(instead);
  }

  async #send(body: Uint8Array | undefined): Promise<DirectedAnswer | { readonly reason: string }> {
    const { upstream, endpoint, ask, isGated, answered, leaves } = this.#parts;
    const request = this.#request;
    const isMetered = this.#metered !== undefined;
    const isRead = isGated && isMetered;
    const leaving = this.#leaving;
    const sending = { ask, request, asked: request.url, body, leaving, isGated: isRead };
    const answer = await send(upstream, sending);
    if ("reason" in answer) return answer;
    answered(answer, request);
    const asked = { upstream, endpoint, request, isMetered };
    const one = directed(isRead ? this.#bounded(answer) : answer, asked);
    if (isMetered && one.redirect?.kind === "outside") leaves(one.redirect.origin);
    return one;
  }

  /** The answer without words by which a server could evade limits: clients quote those of a status in errors. */
  #bounded(answer: ServerAnswer): ServerAnswer {
    const isOwn = (session: string): boolean => this.#metered?.isOf(session) === true;
    const headers = boundedHeaders(answer.headers, isOwn);
    return { ...answer, statusText: undefined, headers };
  }

  async #redirected(one: DirectedAnswer, redirect: Redirect): Promise<ClientAnswer> {
    const { answer, isAskedAgain } = one;
    await answer.body?.cancel();
    if (isAskedAgain) this.#metered?.redirected();
    this.#hooks.ended(isAskedAgain);
    return gatedRedirect(one, redirect, this.#line, this.#parts.upstream.shown);
  }

  #unreachable(reason: string): ClientAnswer {
    this.#over();
    const { hasLeft } = this.#request.leaving;
    if (!hasLeft) this.#parts.unreachable(reason);
    if (hasLeft) this.#metered?.hooks.left();
    else this.#metered?.failed();
    return unreachableAnswer(this.#line, this.#parts.upstream.shown, reason);
  }

  #leave(): void {
    this.#leaving.leave();
    // Messages that are kept will not be forwarded.
    if (this.#parts.isGated) this.#hooks.left();
  }

  get #hooks(): RelayHooks {
    const metered = this.#metered;
    return {
      forwarded: (chunk) => metered?.hooks.forwarded(chunk),
      sent: (chunk) => metered?.hooks.sent(chunk),
      forwardedWhole: (bytes) => {
        this.#over();
        metered?.hooks.forwardedWhole(bytes);
      },
      ended: (isWhole) => {
        this.#over();
        // A client that leaves ends the request at the server, which breaks the body off.
        if (!isWhole && this.#leaving.hasLeft) metered?.hooks.left();
        else metered?.hooks.ended(isWhole);
      },
      left: () => {
        this.#over();
        this.#leaving.leave();
        metered?.hooks.left();
      },
    };
  }
}

/** The message of a request; undefined where it is empty or coded. */
function lineOf(body: Uint8Array, headers: Headers): Line | undefined {
  if (body.length === 0 || headers.get("content-encoding") !== null) return undefined;
  const gatherer = new LineGatherer();
  gatherer.add(body);
  return gatherer.take();
}
