import type { Instant } from "#meter/calls/instant.ts";
import { UserError } from "#kit/errors.ts";
import { requestBytesMax } from "#kit/limits.ts";
import { errorCode } from "#kit/os/error-code.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { Conversations } from "./conversations.ts";
import { type ExchangeParts, forwardExchange } from "./exchange.ts";
import { foreignHeader, refusedStatus } from "./foreign.ts";
import { noticesOf } from "./notices.ts";
import { textAnswer } from "./own-answers.ts";
import { EndpointPaths } from "./redirects.ts";
import { announcedBytes, BodyRoom } from "./request-body.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { httpSentences } from "./sentences.ts";
import { transportSentences } from "../sentences.ts";

// A further exchange is refused with 503. The runtime makes 256 requests at a time; six are left for telemetry.
export const openExchangesMax = 250;

export type ProxyOptions = {
  /** 0 for a free one. */
  readonly port: number;
  readonly upstream: McpEndpoint;
  readonly conversations: Conversations;
  readonly tell: Tell;
  readonly now: () => Instant;
  readonly isGated: boolean;
  readonly overflowPath: () => string;
};

export type ReverseProxy = {
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
