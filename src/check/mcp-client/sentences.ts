import { pluralize } from "#kit/text/numbers.ts";

export const mcpClientSentences = {
  oauthRequired: (url: string) =>
    `The server at ${url} requires OAuth; write "-- npx -y mcp-remote ${url}" instead of --url, or pass a token with --header-env`,
  endpointUnusable: (url: string, reason: string) =>
    `Cannot connect to ${url}: ${reason}; pass the URL of a Streamable HTTP MCP server`,
  foreignEvents: (events: number, first: string | undefined) =>
    `The server sent ${pluralize(events, "event")} that ${events === 1 ? "is" : "are"} not JSON-RPC` +
    (first === undefined ? "" : ` (${events === 1 ? "" : "the first is "}"${first}")`) +
    `; clients may reject ${events === 1 ? "it" : "them"}`,
  serverRefused: (server: string, action: string, message: string, code: number) =>
    `The server "${server}" refused ${action}: ${message} (${code})`,
  serverFailed: (server: string, reason: string) => `The server "${server}" failed: ${reason}`,
  serverUnreachable: (command: string, reason: string) =>
    `Cannot connect to "${command}": ${reason}; the command must start an MCP server that uses stdin and stdout`,
  foreignLines: (lines: number, first: string | undefined) =>
    `The server wrote ${pluralize(lines, "line")} to stdout that ${lines === 1 ? "is" : "are"} not JSON-RPC` +
    (first === undefined ? "" : ` (${lines === 1 ? "" : "the first is "}"${first}")`) +
    `; clients may reject ${lines === 1 ? "it" : "them"}; logs belong on stderr`,
} as const;
