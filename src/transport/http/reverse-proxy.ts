import type { Instant } from "#meter/calls/call.ts";
import { UserError } from "#kit/errors.ts";
import { requestBytesMax } from "#kit/limits.ts";
import { errorCode } from "#kit/os/file-errors.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { Conversations } from "./http-conversation.ts";
import { type ExchangeParts, forwardExchange, type RequestHead } from "./exchange.ts";
import { foreignHeader, refusedStatus, textAnswer } from "./own-answers.ts";
import { EndpointPaths } from "./redirects.ts";
import { announcedBytes, BodyRoom } from "./request-body.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { httpSentences } from "./sentences.ts";
import { transportSentences } from "../sentences.ts";
import type { AnswerHead } from "./relay.ts";
import { isSamePath } from "./headers.ts";
import { mcpClientSentences } from "#check/mcp-client/sentences.ts";

// A further exchange is refused with 503. The runtime makes 256 requests at a time; six are left for telemetry.
export const openExchangesMax = 250;

type ProxyOptions = {
  /** 0 for a free one. */
  readonly port: number;
  readonly upstream: McpEndpoint;
  readonly conversations: Conversations;
  readonly tell: Tell;
  readonly now: () => Instant;
  readonly isGated: boolean;
  readonly overflowPath: () => string;
};

type ReverseProxy = {
  readonly url: string;
  /** When its last exchange ended, in monotonic ms; infinite while there is one. */
  readonly idleSinceMs: number;
  readonly close: () => void;
};

export function startReverseProxy(options: ProxyOptions): ReverseProxy {
  const proxy = new Exchanging(options);
  const server = listen(options.port, (request, own) => {
    own.timeout(request, 0);
    return proxy.answer(request);
  });
  const { pathname } = options.upstream.url;
  return {
    url: `http://127.0.0.1:${server.port}${pathname}`,
    get idleSinceMs() {
      return proxy.idleSinceMs;
    },
    close: () => void server.stop(true),
  };
}

class Exchanging {
  readonly #parts: ExchangeParts;
  #number = 0;
  #open = 0;
  readonly #room = new BodyRoom();
  #endedMs: number;

  constructor(options: ProxyOptions) {
    const { upstream, tell, now } = options;
    this.#endedMs = now().monoMs;
    this.#parts = {
      ...options,
      endpoint: new EndpointPaths(upstream),
      ...noticesOf(upstream, tell),
    };
  }

  get idleSinceMs(): number {
    return this.#open > 0 ? Infinity : this.#endedMs;
  }

  answer(request: Request): Response | Promise<Response> {
    const foreign = foreignHeader(request.headers);
    if (foreign) return textAnswer(403, httpSentences.foreignRequest(foreign));
    const { upstream, endpoint } = this.#parts;
    const url = new URL(request.url);
    const status = refusedStatus(request, url.pathname, endpoint.has(url));
    if (status) {
      const refusal = textAnswer(status, httpSentences.requestUnserved(upstream.url.pathname));
      if (status === 405) refusal.headers.set("allow", "POST, GET, DELETE, OPTIONS");
      return refusal;
    }
    if (this.#open >= openExchangesMax) {
      return textAnswer(503, httpSentences.exchangesFull(openExchangesMax));
    }
    const share = this.#room.share();
    if (!share.grow(announcedBytes(request.headers)))
      return textAnswer(503, httpSentences.bodiesFull());
    this.#number += 1;
    this.#open += 1;
    let isOver = false;
    const over = (): void => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      share.end();
      this.#endedMs = this.#parts.now().monoMs;
    };
    return forwardExchange(
      request,
      { url, number: this.#number, grow: share.grow, over },
      this.#parts,
    );
  }
}

type Answer = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>;

function listen(port: number, fetch: Answer): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port,
      hostname: "127.0.0.1",
      // Ten seconds of silence would end a stream otherwise.
      idleTimeout: 0,
      maxRequestBodySize: requestBytesMax,
      development: false,
      // Without it, a server that is not for development shares a port that is taken.
      reusePort: false,
      fetch,
      error: (error) => textAnswer(500, transportSentences.internalFailure(error.name)),
    });
  } catch (error) {
    throw new UserError(httpSentences.servePortTaken(port, errorCode(error)));
  }
}

// A server may invent any number of reasons.
export const unreachableReasonsMax = 5;

type Notices = Pick<
  ExchangeParts,
  "answered" | "unreachable" | "astray" | "leaves" | "failed" | "oldTransport"
>;

/** The notices about exchanges for the terminal, each once: clients show errors of HTTP badly or not at all. */
export function noticesOf(upstream: McpEndpoint, tell: Tell): Notices {
  const { shown } = upstream;
  const unauthorized = firstTimes(1, tell);
  const missing = firstTimes(1, tell);
  const unreachable = firstTimes(unreachableReasonsMax, tell);
  const astray = firstTimes(1, tell);
  const left = firstTimes(1, tell);
  const failed = firstTimes(1, tell);
  const old = firstTimes(1, tell);
  let isOld = false;
  return {
    answered: (answer, request) => {
      if (answer.status === 401) unauthorized(credentialsWanted(upstream, answer, request));
      if (isMissing(answer, request, upstream))
        missing(httpSentences.pathMissing(shown, answer.status));
    },
    unreachable: (reason) => unreachable(mcpClientSentences.upstreamUnreachable(shown, reason)),
    astray: (path) => {
      if (isOld) return httpSentences.oldTransport(shown);
      const sentence = httpSentences.pathUnmetered(path);
      astray(sentence);
      return sentence;
    },
    oldTransport: () => {
      isOld = true;
      old(httpSentences.oldTransport(shown));
    },
    leaves: (origin) => left(httpSentences.redirectLeaves(shown, origin)),
    failed: (what) => failed(httpSentences.observerFailed("an exchange", what)),
  };
}

/** Prints each sentence once, and no more than `sentencesMax` different ones. */
function firstTimes(sentencesMax: number, tell: Tell): Tell {
  const told = new Set<string>();
  return (sentence) => {
    if (told.has(sentence) || told.size >= sentencesMax) return;
    told.add(sentence);
    tell(sentence);
  };
}

function credentialsWanted(
  { shown, headers: own }: McpEndpoint,
  { headers }: AnswerHead,
  request: RequestHead,
): string {
  const isOwn = own.some(([name]) => name.toLowerCase() === "authorization");
  if (isOwn || request.headers.has("authorization")) return httpSentences.tokenRejected(shown);
  const isOauth = /\bresource_metadata\s*=/i.test(headers.get("www-authenticate") ?? "");
  return isOauth ? httpSentences.oauthWanted(shown) : mcpClientSentences.tokenWanted(shown);
}

const missingStatuses: ReadonlySet<number> = new Set([404, 405]);

/** True where the endpoint does not accept the first request of a conversation. Later ones have a 404 for a session that has ended or an unknown method. */
function isMissing(
  { status }: AnswerHead,
  { method, url, headers }: RequestHead,
  to: McpEndpoint,
): boolean {
  if (!missingStatuses.has(status) || method !== "POST") return false;
  if (!isSamePath(url.pathname, to.url.pathname)) return false;
  return !headers.has("mcp-session-id") && !headers.has("mcp-protocol-version");
}
