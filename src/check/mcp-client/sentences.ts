import { pluralize } from "#kit/text/numbers.ts";
import { certificateErrors, describeReason } from "#kit/sentences.ts";

const urlCauses: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was closed before an answer",
  ENOTFOUND: "no host with that name",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the host",
  ETIMEDOUT: "the connection timed out",
  EPROTO: "the TLS handshake failed; write http:// for a server without TLS",
  ERR_PROXY_TUNNEL: "the proxy in HTTPS_PROXY or HTTP_PROXY refused to connect to it",
  UnsupportedProxyProtocol:
    "the URL of the proxy in HTTPS_PROXY or HTTP_PROXY must begin with http:// or https://",
  ...certificateErrors,
};

const invalidHttpReasons: ReadonlySet<string> = new Set([
  "HPE_HEADER_OVERFLOW",
  "HPE_INVALID_ANSWER",
  "InvalidContentLength",
  "Malformed_HTTP_Response",
  "ResponseHeadersTooLarge",
  "UnrequestedUpgrade",
]);

function describeCause(reason: string): string {
  return Object.hasOwn(urlCauses, reason)
    ? `${urlCauses[reason]} (${reason})`
    : describeReason(reason);
}

export const mcpClientSentences = {
  upstreamUnreachable: (url: string, reason: string) =>
    invalidHttpReasons.has(reason)
      ? `Cannot read the answer from ${url}: it is not valid HTTP (${reason})`
      : `Cannot reach ${url}: ${describeCause(reason)}`,
  oauthRequired: (url: string) =>
    `The server at ${url} requires OAuth; write "-- npx -y mcp-remote ${url}" instead of --url, or pass a token with --header-env`,
  endpointUnusable: (url: string, reason: string) =>
    `Cannot connect to ${url}: ${reason}; it must be the URL of a Streamable HTTP MCP server`,
  foreignEvents: (events: number, first: string | undefined) =>
    `The server sent ${pluralize(events, "event")} that ${events === 1 ? "is" : "are"} not JSON-RPC` +
    (first === undefined ? "" : `, ${events === 1 ? "" : "the first is "}"${first}"`) +
    `; clients may reject ${events === 1 ? "it" : "them"}`,
  tokenRequired: (url: string) =>
    `The server at ${url} rejects the request as unauthorized; pass a token with --header-env, as in --header-env Authorization=TOKEN`,
  serverRefused: (server: string, action: string, message: string, code: number) =>
    `The server "${server}" refused ${action}: ${message} (${code})`,
  serverFailed: (server: string, reason: string) => `The server "${server}" failed: ${reason}`,
  serverUnreachable: (command: string, reason: string) =>
    `Cannot connect to "${command}": ${reason}; it must be an MCP server on stdin and stdout`,
  foreignLines: (lines: number, first: string | undefined) =>
    `The server wrote ${pluralize(lines, "line")} to stdout that ${lines === 1 ? "is" : "are"} not JSON-RPC` +
    (first === undefined ? "" : `, ${lines === 1 ? "" : "the first is "}"${first}"`) +
    `; clients may reject ${lines === 1 ? "it" : "them"}; logs belong on stderr`,
} as const;
