import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead } from "./send.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { RequestHead, ExchangeParts } from "./exchange.ts";
import { isSamePath } from "./upstream.ts";
import { mcpClientSentences } from "#check/mcp-client/sentences.ts";
import { httpSentences } from "./sentences.ts";

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
