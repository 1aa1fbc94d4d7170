import { describeReason } from "#kit/sentences.ts";

export const httpSentences = {
  servePortTaken: (port: number, reason: string) =>
    `Cannot serve on port ${port}: ${describeReason(reason)}; choose another --port, or omit it to use a free one`,
  sessionEnded: () => "The request was not forwarded: it was cancelled, or its session ended",
  requestUnreadable: () =>
    "Because mcp-meter limits calls or changes messages, a request must be uncompressed application/json in UTF-8",
  pathUnmetered: (path: string) =>
    `A message was sent to ${path}, which is not metered: give the client the address that "mcp-meter serve" prints`,
  oldTransport: (server: string) =>
    `The server at ${server} speaks the old HTTP+SSE transport; use "mcp-meter -- npx -y mcp-remote ${server} --transport sse-only"`,
  redirectedElsewhere: (server: string, origin: string) =>
    `The server at ${server} redirects to ${origin}, which is not metered: start "mcp-meter serve" with that URL instead`,
  pathMissing: (server: string, status: number) =>
    `The server at ${server} answers a client's first request with ${status}: is the path right?`,
  foreignRequest: (header: string) =>
    `This address only serves programs on this machine; the ${header} header shows that the request comes from elsewhere`,
  requestUnserved: (path: string) =>
    `This address serves only MCP clients: send POST, GET (for an event stream), DELETE or OPTIONS to ${path}`,
  exchangesFull: (exchangesMax: number) =>
    `Cannot forward more than ${exchangesMax} requests at a time; try again later`,
  bodiesFull: (bytesMax: number) =>
    `Cannot hold more than ${bytesMax / 2 ** 20} MiB of large request bodies at a time; try again later`,
  requestTooLong: (bytesMax: number) => `The request is larger than ${bytesMax / 2 ** 20} MiB`,
  oauthRequired: (server: string) =>
    `The server at ${server} requires OAuth, which only works at the server's own address; put "mcp-meter -- npx -y mcp-remote ${server}" in your client's config, or pass a token with --header-env`,
  tokenRejected: (server: string) =>
    `The server at ${server} rejects the request's token as unauthorized; it may be wrong or expired`,
} as const;

// Errors that mcp-meter sends to the client instead of the server's answer.
export const gatedSentences = {
  answerCodingUnsupported: () =>
    "The server compressed its answer in an unsupported format, so mcp-meter cannot check it and withholds it",
  answerTypeUnsupported: () =>
    "The content type of the server's answer is neither JSON nor an event stream, so mcp-meter cannot check the answer and withholds it",
  answerTooLong: () =>
    "The server's answer is too long: mcp-meter cannot hold it while checking it",
  answerBrokenOff: () => "The server's answer was cut off or could not be read",
  answerWithheld: () => "The server's answer does not match this request, so it is withheld",
  redirectUnmetered: (server: string) =>
    `Withheld a redirect from the server at ${server}: the server redirected too often, the redirect's URL is too long, or its status is neither 307 nor 308; if it were forwarded, a client might show the URL to the model in an error, and the URL's tokens would not be counted`,
} as const;
