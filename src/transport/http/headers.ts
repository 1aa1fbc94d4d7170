import type { OwnHeader, McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";

// Where budgets are enforced, longer challenges are left out: clients quote them in errors.
export const challengeMax = 500;

/** Headers about one connection and not about the message (RFC 9110 7.6.1), and those that each connection has of its own. */
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

/** The headers of a client's request as the server gets them; our own replace those of the same name. */
export function makeRequestHeaders(received: Headers, configured: readonly OwnHeader[]): Headers {
  const headers = keepEndToEnd(received);
  // The body is sent as bytes of a known length, without a promise to wait for.
  for (const name of ["host", "content-length", "expect"]) headers.delete(name);
  for (const [name, value] of configured) headers.set(name, value);
  return headers;
}

export function makeAnswerHeaders(received: Headers): Headers {
  return keepEndToEnd(received);
}

/** The headers of an answer whose body is ours: nothing about that of the server is left, nor what clients quote with it. */
export function makeReplacedBodyHeaders(answer: {
  readonly status: number;
  readonly headers: Headers;
}): Headers {
  const { status, headers: received } = answer;
  const headers = makeAnswerHeaders(received);
  for (const name of bodyHeaders) headers.delete(name);
  if (status === 403) headers.delete(challenge);
  headers.set("content-type", "application/json");
  return headers;
}

/** Where limits are enforced: a session begins with `initialize` alone, or a server could begin its counters again; clients quote a challenge in errors. */
export function limitHeaders(
  received: Headers,
  isOwnSession: (session: string) => boolean,
): Headers {
  const session = received.get("mcp-session-id");
  const isForeign = session !== null && !isOwnSession(session);
  const isLong = (received.get(challenge)?.length ?? 0) > challengeMax;
  if (!isForeign && !isLong) return received;
  const headers = new Headers(received);
  if (isForeign) headers.delete("mcp-session-id");
  if (isLong) headers.delete(challenge);
  return headers;
}

const challenge = "www-authenticate";

export function makeBodilessHeaders(received: Headers): Headers {
  const headers = makeAnswerHeaders(received);
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

function keepEndToEnd(received: Headers): Headers {
  const headers = new Headers(received);
  const named = received.get("connection") ?? "keep-alive";
  if (!usualConnection.test(named)) deleteListed(headers, named);
  for (const name of hopByHop) headers.delete(name);
  return headers;
}

/** `Connection` without the names of other headers. */
const usualConnection = /^(?:keep-alive|close)$/i;

/** There may be any number of names, so those that are there are looked for among them. */
function deleteListed(headers: Headers, list: string): void {
  const names = new Set(list.split(",").map((name) => name.trim().toLowerCase()));
  for (const name of Array.from(headers.keys())) if (names.has(name)) headers.delete(name);
}

/** True for two spellings of a path: many servers take one in any case, and with slashes at its end, for the same. */
export function isSamePath(a: string, b: string): boolean {
  return normalizePath(a) === normalizePath(b);
}

export function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}

/** The address of a request at the server: the same path there, and the query of the server's URL if it has none. */
export function makeTargetUrl({ url }: McpEndpoint, { pathname, search }: URL): URL {
  if (pathname === url.pathname && (search === "" || search === url.search)) return url;
  const target = new URL(url);
  target.pathname = pathname;
  target.search = search === "" && isSamePath(pathname, url.pathname) ? url.search : search;
  return target;
}
