import { sentences, UserError } from "#errors.ts";
import { parseHttpUrl, withoutCredentials } from "#text/http-url.ts";
import type { OwnHeader } from "./own-header.ts";

/** A server behind a URL. */
export type McpEndpoint = {
  readonly url: URL;
  /** Origin and path: a query may hold a key. */
  readonly shown: string;
  /** Host and port, for records: a path may hold a key too. */
  readonly host: string;
  /** Sent with every request. */
  readonly headers: readonly OwnHeader[];
};

/** The server of a URL as a user writes it; a user's name and password in it become a header. Throws UserError. */
export function parseEndpoint(rawUrl: string, headers: readonly OwnHeader[] = []): McpEndpoint {
  const parsed = parseHttpUrl(rawUrl);
  if (!parsed) throw new UserError(sentences.urlMalformed());
  const { url, authorization } = withoutCredentials(parsed);
  const basic = authorization === undefined ? [] : [["authorization", authorization] as const];
  return {
    url,
    shown: `${url.origin}${url.pathname}`,
    host: url.host,
    headers: [...basic, ...headers],
  };
}
