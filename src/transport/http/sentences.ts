import { describeReason } from "#kit/errors.ts";
import { heldRequestBytesMax, redirectPathMax, requestBytesMax } from "#kit/limits.ts";

export const httpSentences = {
  servePortTaken: (port: number, reason: string) =>
    `Cannot serve on port ${port}: ${describeReason(reason)}; choose another --port, or leave it out for a free one`,
  sessionEnded: () => "The request was not sent: it was cancelled, or its session ended",
  requestUnreadable: () =>
    "While limits on calls are enforced, a request must be application/json in UTF-8, not compressed",
  pathUnmetered: (path: string) =>
    `A message was sent to ${path.slice(0, redirectPathMax)}, where nothing is metered: give the client the address that serve prints`,
  oldTransport: (shown: string) =>
    `The server at ${shown} speaks the old HTTP+SSE transport; use "mcp-meter -- npx -y mcp-remote ${shown} --transport sse-only"`,
  redirectLeaves: (shown: string, origin: string) =>
    `The server at ${shown} redirects to ${origin}, where nothing is metered: give that URL to serve instead`,
  pathMissing: (shown: string, status: number) =>
    `The server at ${shown} answers ${status} to the first request of a client: is the path right?`,
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
  tokenRejected: (shown: string) =>
    `The server at ${shown} rejects the token of the request as unauthorized; it may be wrong or expired`,
  observerFailed: (where: string, what: string) =>
    `Metering failed (${what}: ${where}); traffic continues`,
} as const;
