import { rejectRequest } from "./reject-requests.ts";
import type { Instant } from "#meter/calls/call.ts";
import { UserError } from "#kit/errors.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { Conversations } from "./http-conversation.ts";
import { type ExchangeContext, forwardExchange, type Notices } from "./exchange.ts";
import { makeTextAnswer } from "./our-answers.ts";
import { httpSentences } from "./sentences.ts";
import { EndpointPaths, redirectPathMax } from "./redirects.ts";
import {
  readContentLength,
  BodyMemory,
  requestBytesMax,
  heldRequestBytesMax,
} from "./request-body.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead, RequestHead } from "./relay.ts";
import { isSamePath } from "./headers.ts";
import { commonSentences } from "#kit/sentences.ts";

type ProxyOptions = {
  readonly port: number;
  readonly upstream: McpEndpoint;
  readonly conversations: Conversations;
  readonly tell: Tell;
  readonly now: () => Instant;
  readonly isGated: boolean;
  readonly overflowPath: () => string;
  readonly userHeader?: string | undefined;
};

type ReverseProxy = {
  readonly url: string;
  readonly openExchanges: number;
  readonly close: () => void;
};

export function startReverseProxy(options: ProxyOptions): ReverseProxy {
  const handler = new RequestHandler(options);
  const server = listen(options.port, (request, bunServer) => {
    bunServer.timeout(request, 0);
    return handler.answer(request);
  });
  const { pathname } = options.upstream.url;
  return {
    url: `http://127.0.0.1:${server.port}${pathname}`,
    get openExchanges() {
      return handler.openExchanges;
    },
    close: () => void server.stop(true),
  };
}

class RequestHandler {
  readonly #context: ExchangeContext;
  #lastNumber = 0;
  openExchanges = 0;
  readonly #bodyMemory = new BodyMemory();

  constructor(options: ProxyOptions) {
    const { upstream, tell } = options;
    this.#context = {
      ...options,
      endpoint: new EndpointPaths(upstream),
      ...makeNotices(upstream, tell),
    };
  }

  answer(request: Request): Response | Promise<Response> {
    const url = new URL(request.url);
    const rejection = rejectRequest(request, url, this.#context, this.openExchanges);
    if (rejection) return rejection;
    const share = this.#bodyMemory.share();
    if (!share.reserve(readContentLength(request.headers)))
      return makeTextAnswer(503, httpSentences.bodiesFull(heldRequestBytesMax));
    this.#lastNumber += 1;
    this.openExchanges += 1;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.openExchanges -= 1;
      share.end();
    };
    return forwardExchange(
      request,
      { url, number: this.#lastNumber, reserve: share.reserve, release },
      this.#context,
    );
  }
}

type AnswerRequest = (
  request: Request,
  server: Bun.Server<undefined>,
) => Response | Promise<Response>;

function listen(port: number, answer: AnswerRequest): Bun.Server<undefined> {
  try {
    return Bun.serve({
      port,
      hostname: "127.0.0.1",
      // Otherwise ten seconds of silence would end a stream.
      idleTimeout: 0,
      maxRequestBodySize: requestBytesMax,
      development: false,
      // Otherwise, with `development: false`, Bun would share a port that is taken.
      reusePort: false,
      fetch: answer,
      error: (error) => makeTextAnswer(500, commonSentences.internalFailure(error.name)),
    });
  } catch (error) {
    throw new UserError(httpSentences.servePortTaken(port, readErrorCode(error)));
  }
}

// Without this limit, a server could cause many notices: each notice may quote a different invalid HTTP status.
export const unreachableReasonsMax = 5;

// Notices go to the terminal, because clients show HTTP errors badly or not at all.
export function makeNotices(upstream: McpEndpoint, tell: Tell): Notices {
  const { shown } = upstream;
  const tellUnauthorized = limitTelling(1, tell);
  const tellPathMissing = limitTelling(1, tell);
  const tellUnreachable = limitTelling(unreachableReasonsMax, tell);
  const tellUnmeteredMessage = limitTelling(1, tell);
  const tellForeignRedirect = limitTelling(1, tell);
  const tellFailure = limitTelling(1, tell);
  const tellOldTransport = limitTelling(1, tell);
  let isOldTransport = false;
  return {
    reportAnswer: (answer, request) => {
      if (answer.status === 401)
        tellUnauthorized(describeMissingCredentials(upstream, answer, request));
      if (isPathMissing(answer, request, upstream))
        tellPathMissing(httpSentences.pathMissing(shown, answer.status));
    },
    reportUnreachable: (reason) =>
      tellUnreachable(commonSentences.upstreamUnreachable(shown, reason)),
    reportUnmeteredMessage: (path) => {
      if (isOldTransport) return httpSentences.oldTransport(shown);
      const sentence = httpSentences.pathUnmetered(path.slice(0, redirectPathMax));
      tellUnmeteredMessage(sentence);
      return sentence;
    },
    reportOldTransport: () => {
      isOldTransport = true;
      tellOldTransport(httpSentences.oldTransport(shown));
    },
    reportForeignRedirect: (origin) =>
      tellForeignRedirect(httpSentences.redirectedElsewhere(shown, origin)),
    reportFailure: (what) => tellFailure(commonSentences.meteringFailed("an exchange", what)),
  };
}

function limitTelling(sentencesMax: number, tell: Tell): Tell {
  const printed = new Set<string>();
  return (sentence) => {
    if (printed.has(sentence) || printed.size >= sentencesMax) return;
    printed.add(sentence);
    tell(sentence);
  };
}

function describeMissingCredentials(
  { shown, headers: configured }: McpEndpoint,
  { headers }: AnswerHead,
  request: RequestHead,
): string {
  const isConfigured = configured.some(([name]) => name.toLowerCase() === "authorization");
  if (isConfigured || request.headers.has("authorization"))
    return httpSentences.tokenRejected(shown);
  const isOauth = /\bresource_metadata\s*=/i.test(headers.get("www-authenticate") ?? "");
  return isOauth ? httpSentences.oauthRequired(shown) : commonSentences.tokenRequired(shown);
}

const missingStatuses: ReadonlySet<number> = new Set([404, 405]);

// Only for first requests: a later 404 means an ended session or an unknown method.
function isPathMissing(
  { status }: AnswerHead,
  { method, url, headers }: RequestHead,
  upstream: McpEndpoint,
): boolean {
  if (!missingStatuses.has(status) || method !== "POST") return false;
  if (!isSamePath(url.pathname, upstream.url.pathname)) return false;
  return !headers.has("mcp-session-id") && !headers.has("mcp-protocol-version");
}
