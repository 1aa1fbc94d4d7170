import { UserError } from "#kit/errors.ts";
import { parseHttpUrl, withoutCredentials } from "#kit/text/http-url.ts";
import type { OwnHeader } from "./own-header.ts";

export type McpEndpoint = {
  readonly url: URL;
  readonly shown: string;
  /** For records: a path may hold a key too. */
  readonly host: string;
  readonly headers: readonly OwnHeader[];
};

/** User and password become a header. Throws UserError. */
export function parseEndpoint(rawUrl: string, headers: readonly OwnHeader[] = []): McpEndpoint {
  const parsed = parseHttpUrl(rawUrl);
  if (!parsed) throw new UserError(endpointSentences.urlMalformed());
  const { url, authorization } = withoutCredentials(parsed);
  const basic = authorization === undefined ? [] : [["authorization", authorization] as const];
  return {
    url,
    shown: `${url.origin}${url.pathname}`,
    host: url.host,
    headers: [...basic, ...headers],
  };
}

const endpointSentences = {
  urlMalformed: () => `--url must be a URL of HTTP with a host, such as "https://example.com/mcp"`,
} as const;
