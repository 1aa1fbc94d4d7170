import { isUtf8 } from "node:buffer";
import { nameCharactersMax } from "#kit/limits.ts";
import type { HeaderPair, McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";

// `dropUnsafeHeaders` drops a longer WWW-Authenticate, because clients quote this header in errors.
export const challengeCharactersMax = 500;

// From RFC 9110 7.6.1 and RFC 2616 13.5.1.
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

export function makeRequestHeaders(received: Headers, configured: readonly HeaderPair[]): Headers {
  const headers = keepEndToEnd(received);
  // `fetch` sets the host and the length, and sends the body without waiting for a 100 Continue.
  for (const name of ["host", "content-length", "expect"]) headers.delete(name);
  for (const [name, value] of configured) headers.set(name, value);
  return headers;
}

export function makeHeadersForReplacedBody(answer: {
  readonly status: number;
  readonly headers: Headers;
}): Headers {
  const { status, headers: received } = answer;
  const headers = keepEndToEnd(received);
  for (const name of bodyHeaders) headers.delete(name);
  // Some clients quote WWW-Authenticate instead of the new body.
  if (status === 403) headers.delete(challenge);
  headers.set("content-type", "application/json");
  return headers;
}

// Drops the id of a foreign session. Otherwise, a server could name a new session outside `initialize`, and budgets
// would begin again at zero.
export function dropUnsafeHeaders(
  received: Headers,
  isOwnSession: (session: string) => boolean,
): Headers {
  const session = received.get("mcp-session-id");
  const isForeign = session !== null && !isOwnSession(session);
  const isLong = (received.get(challenge)?.length ?? 0) > challengeCharactersMax;
  if (!isForeign && !isLong) return received;
  const headers = new Headers(received);
  if (isForeign) headers.delete("mcp-session-id");
  if (isLong) headers.delete(challenge);
  return headers;
}

const challenge = "www-authenticate";

export function makeBodilessHeaders(received: Headers): Headers {
  const headers = keepEndToEnd(received);
  for (const name of [...bodyHeaders, "content-type"]) headers.delete(name);
  return headers;
}

const bodyHeaders = [
  "content-length",
  "content-encoding",
  "content-range",
  "content-md5",
  "content-digest",
  "repr-digest",
  "digest",
  "etag",
  "last-modified",
];

export function keepEndToEnd(received: Headers): Headers {
  const headers = new Headers(received);
  const connection = received.get("connection") ?? "keep-alive";
  if (!usualConnection.test(connection)) deleteListed(headers, connection);
  for (const name of hopByHop) headers.delete(name);
  return headers;
}

const usualConnection = /^(?:keep-alive|close)$/i;

// Loops over the headers, because the list may have many more names.
function deleteListed(headers: Headers, list: string): void {
  const names = new Set(list.split(",").map((name) => name.trim().toLowerCase()));
  for (const name of Array.from(headers.keys())) if (names.has(name)) headers.delete(name);
}

// If `userHeader` is set, all requests without that header count as one user with an empty name.
export function readUser(headers: Headers, userHeader: string | undefined): string | undefined {
  if (userHeader === undefined) return undefined;
  const bytes = Buffer.from(headers.get(userHeader) ?? "", "latin1");
  const name = isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
  return name.normalize("NFC").trim().slice(0, nameCharactersMax);
}

// Many servers ignore case and trailing slashes.
export function isSamePath(a: string, b: string): boolean {
  return normalizePath(a) === normalizePath(b);
}

export function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}

export function makeTargetUrl({ url }: McpEndpoint, { pathname, search }: URL): URL {
  if (pathname === url.pathname && (search === "" || search === url.search)) return url;
  const target = new URL(url);
  target.pathname = pathname;
  target.search = search === "" && isSamePath(pathname, url.pathname) ? url.search : search;
  return target;
}
