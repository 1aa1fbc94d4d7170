import type { Instant } from "#calls/instant.ts";
import { sentences, UserError } from "#errors.ts";
import type { Answerer } from "#http-server/client-connection.ts";
import type { ClientAnswer, ClientRequest } from "#http-server/client-request.ts";
import { type HttpListener, listenForHttp } from "#http-server/http-listener.ts";
import type { RejectedStatus } from "#http-server/request-fault.ts";
import { errorCode } from "#os/error-code.ts";
import type { Tell } from "#text/teller.ts";
import { BodyRoom, announcedBytes } from "./body-room.ts";
import type { ServerAsker } from "#http-client/server-asker.ts";
import type { Conversations } from "./conversations.ts";
import { type ExchangeParts, forwardExchange } from "./exchange.ts";
import { foreignHeader } from "./foreign.ts";
import { LateTurns, turnsAtOnce } from "./metering-turns.ts";
import { noticesOf } from "./notices.ts";
import { textAnswer } from "./own-answers.ts";
import { EndpointPaths } from "./redirects.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";

/** The parts of a reverse proxy. */
export type ProxyOptions = {
  /** 0 for a free one. */
  readonly port: number;
  readonly upstream: McpEndpoint;
  readonly asker: ServerAsker;
  readonly conversations: Conversations;
  readonly tell: Tell;
  readonly now: () => Instant;
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
  const server = listen(options.port, (request) => proxy.answer(request));
  const { pathname } = options.upstream.url;
  return {
    url: `http://127.0.0.1:${server.port}${pathname}`,
    get idleSinceMs() {
      return proxy.idleSinceMs;
    },
    close: () => {
      server.close();
      options.asker.close();
    },
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
    const { upstream, asker, tell, now } = options;
    this.#openMax = asker.openMax;
    this.#endedMs = now().monoMs;
    this.#parts = {
      ...options,
      ask: asker.ask,
      turns: options.isGated ? turnsAtOnce : new LateTurns(),
      endpoint: new EndpointPaths(upstream),
      ...noticesOf(upstream, tell),
    };
  }

  get idleSinceMs(): number {
    return this.#open > 0 ? Infinity : this.#endedMs;
  }

  async answer(request: ClientRequest): Promise<ClientAnswer> {
    const foreign = foreignHeader(request.headers);
    if (foreign) return textAnswer(403, sentences.foreignRequest(foreign));
    if (this.#open >= this.#openMax) {
      return textAnswer(503, sentences.exchangesFull(this.#openMax));
    }
    const share = this.#room.share();
    if (!share.grow(announcedBytes(request.headers)))
      return textAnswer(503, sentences.bodiesFull());
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
    return forwardExchange(request, { number: this.#number, grow: share.grow, over }, this.#parts);
  }
}

function listen(port: number, answer: Answerer["answer"]): HttpListener {
  try {
    return listenForHttp(port, { answer, rejection: rejectionAnswer });
  } catch (error) {
    throw new UserError(sentences.servePortTaken(port, errorCode(error)));
  }
}

/** Why a request is not read. */
const rejections = {
  400: sentences.requestNotHttp,
  408: sentences.requestSilent,
  413: sentences.requestTooLong,
  431: sentences.requestHeadTooLong,
  501: sentences.requestCodingUnknown,
  503: sentences.bodiesFull,
} satisfies Record<RejectedStatus, () => string>;

/** The answer to a request that is not read, or whose answering failed. */
function rejectionAnswer(status: RejectedStatus | 500, error: unknown): ClientAnswer {
  const name = error instanceof Error ? error.name : "";
  const sentence = status === 500 ? sentences.internalFailure(name) : rejections[status]();
  return textAnswer(status, sentence);
}
