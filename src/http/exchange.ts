import type { Instant } from "#calls/instant.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import { isEventStream } from "#endpoint/media-type.ts";
import { errorCode } from "#os/error-code.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import { readAsked } from "./asked.ts";
import type { Conversations } from "./conversations.ts";
import { answerHeaders, requestHeaders } from "./headers.ts";
import { MeteredExchange } from "./metered-exchange.ts";
import { textAnswer, unreachableAnswer } from "./own-answers.ts";
import { relay, type RelayHooks } from "./relay.ts";
import { beginBody } from "./short-body.ts";
import { isEndpoint, targetOf } from "./upstream.ts";

/** Everything that exchanges share. */
export type ExchangeParts = {
  readonly upstream: McpEndpoint;
  readonly conversations: Conversations;
  readonly now: () => Instant;
  /** Metering failed; traffic continues. */
  readonly failed: (what: string) => void;
  /** Called with the head of each answer of the server. */
  readonly answered: (answer: Response) => void;
};

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Status of an answer that is read by no one: the client has left. */
const clientLeft = 499;

/**
 * Forwards a request and its answer, bodies byte for byte, and meters them after they were forwarded. `over` is called when
 * the exchange has ended. Does not reject.
 */
export async function forwardExchange(
  request: Request,
  number: number,
  parts: ExchangeParts,
  over: () => void,
): Promise<Response> {
  const body = await bodyOf(request);
  if (body === "gone") {
    over();
    return textAnswer(clientLeft, "");
  }
  const url = new URL(request.url);
  const line = body && lineOf(body, request.headers);
  const metered = isEndpoint(parts.upstream, url)
    ? new MeteredExchange(readAsked(request.method, request.headers, line), { ...parts, number })
    : undefined;
  const leaving = new AbortController();
  request.signal.addEventListener("abort", () => leaving.abort(), { once: true });
  const answering = send(request, body, parts.upstream, leaving.signal);
  await metered?.begin();
  const answer = await answering;
  if ("reason" in answer) {
    over();
    if (request.signal.aborted) metered?.hooks.left();
    else metered?.failed();
    return unreachableAnswer(line, parts.upstream.shown, answer.reason);
  }
  parts.answered(answer);
  await metered?.answered(answer);
  const hooks = hooksOf(metered, leaving, over);
  return relayed(answer, hooks);
}

/** The whole body: one message, which the server needs whole too. */
async function bodyOf(request: Request): Promise<Uint8Array | undefined | "gone"> {
  if (!request.body) return undefined;
  try {
    return await request.bytes();
  } catch {
    return "gone";
  }
}

/** The message of a request; undefined where it is empty or coded. */
function lineOf(body: Uint8Array, headers: Headers): Line | undefined {
  if (body.length === 0 || headers.get("content-encoding") !== null) return undefined;
  const gatherer = new LineGatherer();
  gatherer.add(body);
  return gatherer.take();
}

/** The answer of the server, or why there is none: a system error code or a clause. */
async function send(
  { url, method, headers }: Request,
  body: Uint8Array | undefined,
  upstream: McpEndpoint,
  signal: AbortSignal,
): Promise<Response | { readonly reason: string }> {
  try {
    return await fetch(targetOf(upstream, new URL(url)), {
      method,
      headers: requestHeaders(headers, upstream.headers),
      ...(body ? { body } : {}),
      // A redirect may lead to another host, which must not get the headers of this one.
      redirect: "manual",
      decompress: false,
      // A stream may be silent for hours.
      timeout: false,
      signal,
    });
  } catch (error) {
    return { reason: errorCode(error) };
  }
}

function hooksOf(
  metered: MeteredExchange | undefined,
  leaving: AbortController,
  over: () => void,
): RelayHooks {
  return {
    forwarded: (chunk) => metered?.hooks.forwarded(chunk),
    ended: (isWhole) => {
      over();
      // A client that leaves ends the request at the server, which breaks the body off.
      if (!isWhole && leaving.signal.aborted) metered?.hooks.left();
      else metered?.hooks.ended(isWhole);
    },
    left: () => {
      over();
      leaving.abort();
      metered?.hooks.left();
    },
  };
}

async function relayed(answer: Response, hooks: RelayHooks): Promise<Response> {
  const { status, statusText, body } = answer;
  const head = { status, statusText, headers: answerHeaders(answer.headers) };
  if (!body || bodiless.has(status)) {
    hooks.ended(true);
    return new Response(null, head);
  }
  if (isEventStream(answer.headers)) return new Response(relay(body.getReader(), hooks), head);
  const begun = await beginBody(body);
  if (begun.kind === "whole") {
    // It is read in a later turn, when it has left.
    void Promise.resolve(hooks.forwarded(begun.bytes)).then(() => hooks.ended(true));
    return new Response(begun.bytes, head);
  }
  // A client that has left does not read as far as there.
  if (begun.kind === "broken") hooks.ended(false);
  return new Response(relay(begun.source, hooks), head);
}
