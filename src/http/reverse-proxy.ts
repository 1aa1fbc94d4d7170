import type { Instant } from "#calls/instant.ts";
import { sentences, UserError } from "#errors.ts";
import { heldRequestBytesMax, requestBytesMax } from "#limits/http.ts";
import { errorCode } from "#os/error-code.ts";
import type { Tell } from "#text/teller.ts";
import { BodyRoom, expectedBytes } from "./body-room.ts";
import type { Conversations } from "./conversations.ts";
import { type ExchangeParts, forwardExchange } from "./exchange.ts";
import { foreignHeader } from "./foreign.ts";
import { textAnswer } from "./own-answers.ts";
import { EndpointPaths } from "./redirects.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";

/** The parts of a reverse proxy. */
export type ProxyOptions = {
  /** 0 for a free one. */
  readonly port: number;
  readonly upstream: McpEndpoint;
  readonly conversations: Conversations;
  readonly tell: Tell;
  readonly now: () => Instant;
  /** Exchanges at the same time. */
  readonly openMax: number;
  /** True when messages may have to be decided before they pass. */
  readonly isGated: boolean;
  /** A path for a file without a name, for messages that are held and too long for memory. */
  readonly overflowPath: () => string;
};

/** A reverse proxy that runs. */
export type ReverseProxy = {
  /** The address for clients. */
  readonly url: string;
  /** When its last exchange ended, in monotonic ms; infinite while there is one. */
  readonly idleSinceMs: number;
  /** Ends all exchanges at once. */
  readonly close: () => void;
};

/** Stands in front of a server, for programs of this machine. Throws UserError for a port that is taken. */
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

/** The exchanges of a reverse proxy, counted. */
class Exchanging {
  readonly #parts: ExchangeParts;
  readonly #openMax: number;
  #number = 0;
  #open = 0;
  readonly #room = new BodyRoom();
  #endedMs: number;

  constructor(options: ProxyOptions) {
    const { upstream, tell, now, openMax } = options;
    this.#openMax = openMax;
    this.#endedMs = now().monoMs;
    this.#parts = {
      ...options,
      endpoint: new EndpointPaths(upstream),
      answered: authorizationNotice(upstream, tell),
      astray: firstTime((path) => tell(sentences.pathUnmetered(path))),
      leaves: firstTime((origin) => tell(sentences.redirectLeaves(upstream.shown, origin))),
      failed: firstTime((what) => tell(sentences.observerFailed("an exchange", what))),
    };
  }

  get idleSinceMs(): number {
    return this.#open > 0 ? Infinity : this.#endedMs;
  }

  answer(request: Request): Response | Promise<Response> {
    const foreign = foreignHeader(request.headers);
    if (foreign) return textAnswer(403, sentences.foreignRequest(foreign));
    if (this.#open >= this.#openMax) {
      return textAnswer(503, sentences.exchangesFull(this.#openMax));
    }
    const bytes = expectedBytes(request.headers);
    if (!this.#room.take(bytes)) return textAnswer(503, sentences.bodiesFull(heldRequestBytesMax));
    this.#number += 1;
    this.#open += 1;
    let isOver = false;
    return forwardExchange(request, this.#number, this.#parts, () => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      this.#room.give(bytes);
      this.#endedMs = this.#parts.now().monoMs;
    });
  }
}

/** The function, which acts the first time it is called and never again. */
function firstTime(act: (what: string) => void): (what: string) => void {
  let isDone = false;
  return (what) => {
    if (!isDone) act(what);
    isDone = true;
  };
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
      error: (error) => textAnswer(500, sentences.internalFailure(error.name)),
    });
  } catch (error) {
    throw new UserError(sentences.servePortTaken(port, errorCode(error)));
  }
}

/** Says once what to do when the server wants credentials. */
function authorizationNotice({ shown }: McpEndpoint, tell: Tell): ExchangeParts["answered"] {
  let isTold = false;
  return ({ status, headers }) => {
    if (status !== 401 || isTold) return;
    isTold = true;
    const isOauth = /\bresource_metadata\s*=/i.test(headers.get("www-authenticate") ?? "");
    tell(isOauth ? sentences.oauthWanted(shown) : sentences.tokenWanted(shown));
  };
}
