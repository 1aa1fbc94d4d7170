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
export function requestHeaders(given: Headers, own: readonly OwnHeader[]): Headers {
  const headers = endToEnd(given);
  // The body is sent as bytes of a known length, without a promise to wait for.
  for (const name of ["host", "content-length", "expect"]) headers.delete(name);
  for (const [name, value] of own) headers.set(name, value);
  return headers;
}

export function answerHeaders(given: Headers): Headers {
  return endToEnd(given);
}

/** The headers of an answer whose body is ours: nothing about that of the server is left, nor what clients quote with it. */
export function ownBodyHeaders(answer: {
  readonly status: number;
  readonly headers: Headers;
}): Headers {
  const { status, headers: given } = answer;
  const headers = answerHeaders(given);
  for (const name of aboutBody) headers.delete(name);
  if (status === 403) headers.delete(challenge);
  headers.set("content-type", "application/json");
  return headers;
}

/** Where limits are enforced: a session begins with `initialize` alone, or a server could begin its counters again; clients quote a challenge in errors. */
export function boundedHeaders(given: Headers, isOwn: (session: string) => boolean): Headers {
  const session = given.get("mcp-session-id");
  const isForeign = session !== null && !isOwn(session);
  const isLong = (given.get(challenge)?.length ?? 0) > challengeMax;
  if (!isForeign && !isLong) return given;
  const headers = new Headers(given);
  if (isForeign) headers.delete("mcp-session-id");
  if (isLong) headers.delete(challenge);
  return headers;
}

const challenge = "www-authenticate";

export function bodilessHeaders(given: Headers): Headers {
  const headers = answerHeaders(given);
  for (const name of [...aboutBody, "content-type"]) headers.delete(name);
  return headers;
}

const aboutBody = [
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

function endToEnd(given: Headers): Headers {
  const headers = new Headers(given);
  const named = given.get("connection") ?? "keep-alive";
  if (!usualConnection.test(named)) deleteNamed(headers, named);
  for (const name of hopByHop) headers.delete(name);
  return headers;
}

/** `Connection` without the names of other headers. */
const usualConnection = /^(?:keep-alive|close)$/i;

/** There may be any number of names, so those that are there are looked for among them. */
function deleteNamed(headers: Headers, list: string): void {
  const names = new Set(list.split(",").map((name) => name.trim().toLowerCase()));
  for (const name of Array.from(headers.keys())) if (names.has(name)) headers.delete(name);
}

/** True for two spellings of a path: many servers take one in any case, and with slashes at its end, for the same. */
export function isSamePath(one: string, other: string): boolean {
  return plainPath(one) === plainPath(other);
}

export function plainPath(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}

/** The address of a request at the server: the same path there, and the query of the server's URL if it has none. */
export function targetOf({ url }: McpEndpoint, { pathname, search }: URL): URL {
  if (pathname === url.pathname && (search === "" || search === url.search)) return url;
  const target = new URL(url);
  target.pathname = pathname;
  target.search = search === "" && isSamePath(pathname, url.pathname) ? url.search : search;
  return target;
}
