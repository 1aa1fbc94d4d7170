import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";

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
