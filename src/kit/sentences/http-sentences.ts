import { certificateWords, counted, inWords } from "../error-words.ts";
import { heldRequestBytesMax, redirectPathMax, requestBytesMax } from "../limits.ts";

const urlCauses: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed before an answer",
  ENOTFOUND: "no host of that name",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the host",
  ETIMEDOUT: "the connection timed out",
  EPROTO: "the TLS handshake failed; write http:// for a server without TLS",
  ERR_PROXY_TUNNEL: "the proxy in HTTPS_PROXY or HTTP_PROXY refused to connect to it",
  UnsupportedProxyProtocol:
    "the URL of the proxy in HTTPS_PROXY or HTTP_PROXY must begin with http:// or https://",
  ...certificateWords,
};

/** The runtime's codes for answers that are not valid HTTP. */
const malformed: ReadonlySet<string> = new Set([
  "HPE_HEADER_OVERFLOW",
  "HPE_INVALID_ANSWER",
  "InvalidContentLength",
  "Malformed_HTTP_Response",
  "ResponseHeadersTooLarge",
  "UnrequestedUpgrade",
]);

function causeOf(reason: string): string {
  return Object.hasOwn(urlCauses, reason) ? `${urlCauses[reason]} (${reason})` : inWords(reason);
}

const serveInstead = `to meter a server behind a URL, write "mcp-meter serve --url https://example.com/mcp"`;

/** None has more of a URL than its origin and path. */
export const httpSentences = {
  urlMissing: () =>
    `missing server; name it with --url, as in "mcp-meter serve --url https://example.com/mcp"`,
  urlMalformed: () => `--url must be a URL of HTTP with a host, such as "https://example.com/mcp"`,
  urlRequired: (option: string) => `--${option} requires --url`,
  headerMalformed: (option: string, wanted: string) => `--${option} must be ${wanted}`,
  headerVariableMissing: (header: string, variable: string) =>
    `Cannot send the header "${header}": the variable ${variable} is not set or cannot be sent`,
  servePortTaken: (port: number, reason: string) =>
    `Cannot serve on port ${port}: ${inWords(reason)}; choose another --port, or leave it out for a free one`,
  serving: (shown: string) => `Serving ${shown} at the address above; Ctrl+C ends it`,
  answerCoded: () =>
    "The server compressed its answer in a way that cannot be read, so it is withheld: limits on calls are enforced",
  sessionEnded: () => "The request was not sent: it was cancelled, or its session ended",
  answerTyped: () =>
    "The server's answer is neither JSON nor a stream of events, so it is withheld: limits on calls are enforced",
  answerTooLong: () => "The server's answer is too long to be held until it is decided",
  answerBrokenOff: () => "The server broke its answer off",
  answerWithheld: () => "The server's answer is not one to this request, so it is withheld",
  requestUnreadable: () =>
    "While limits on calls are enforced, a request must be application/json in UTF-8, not compressed",
  pathUnmetered: (path: string) =>
    `A message was sent to ${path.slice(0, redirectPathMax)}, where nothing is metered: give the client the address that serve prints`,
  oldTransport: (shown: string) =>
    `The server at ${shown} speaks the old HTTP+SSE transport; use "mcp-meter -- npx -y mcp-remote ${shown} --transport sse-only"`,
  redirectLeaves: (shown: string, origin: string) =>
    `The server at ${shown} redirects to ${origin}, where nothing is metered: give that URL to serve instead`,
  redirectUnmetered: (shown: string) =>
    `The server at ${shown} redirects in a way that clients do not follow, or too often, and limits on calls are enforced`,
  upstreamUnreachable: (shown: string, reason: string) =>
    malformed.has(reason)
      ? `Cannot read the answer of ${shown}: it is not valid HTTP (${reason})`
      : `Cannot reach ${shown}: ${causeOf(reason)}`,
  pathMissing: (shown: string, status: number) =>
    `The server at ${shown} answers ${status} to the first request of a client: is the path right?`,
  noConversation: () => "No conversation was metered",
  urlUnnamed: (command: string) =>
    `unexpected argument; name a URL with --url, as in "mcp-meter ${command} --url https://example.com/mcp"`,
  urlAsCommand: () => `unknown command; ${serveInstead}`,
  urlWithoutServe: () => `unknown option "--url"; ${serveInstead}`,
  commandOfServe: () =>
    `unexpected command after --; serve meters a URL, and a server on stdio needs no serve, as in "mcp-meter -- npx -y some-server"`,
  headerOfConnection: (option: string, header: string) =>
    `--${option} cannot send "${header}": each connection has its own`,
  foreignRequest: (header: string) =>
    `This address serves programs on this machine; the header ${header} says that it comes from elsewhere`,
  requestUnserved: (path: string) =>
    `This address serves an MCP client: POST, GET of an event stream, DELETE and OPTIONS of ${path}`,
  exchangesFull: (exchangesMax: number) =>
    `Cannot forward more than ${exchangesMax} requests at a time; try again later`,
  bodiesFull: () =>
    `Cannot hold more than ${heldRequestBytesMax / 2 ** 20} MiB of long requests at a time; try again later`,
  requestTooLong: () => `The request has more than ${requestBytesMax / 2 ** 20} MiB`,
  oauthWanted: (shown: string) =>
    `The server at ${shown} wants OAuth, which names the server's own address; put "mcp-meter -- npx -y mcp-remote ${shown}" into the config of your client, or give a token with --header-env`,
  oauthWantedHere: (shown: string) =>
    `The server at ${shown} wants OAuth; write "-- npx -y mcp-remote ${shown}" in place of --url, or give a token with --header-env`,
  endpointUnusable: (shown: string, reason: string) =>
    `Cannot connect to ${shown}: ${reason}; it must be the URL of an MCP server of Streamable HTTP`,
  foreignEvents: (events: number, first: string | undefined) =>
    `The server sent ${counted(events, "event")} that ${events === 1 ? "is" : "are"} not JSON-RPC` +
    (first === undefined ? "" : `, ${events === 1 ? "" : "the first is "}"${first}"`) +
    `; clients may reject ${events === 1 ? "it" : "them"}`,
  tokenRejected: (shown: string) =>
    `The server at ${shown} rejects the token of the request as unauthorized; it may be wrong or expired`,
  tokenWanted: (shown: string) =>
    `The server at ${shown} rejects the request as unauthorized; give a token with --header-env, as in --header-env Authorization=TOKEN`,
} as const;
