import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";

/** The address of a request at the server: the same path there, and the query of the server's URL if it has none. */
export function targetOf({ url }: McpEndpoint, { pathname, search }: URL): URL {
  const target = new URL(url);
  target.pathname = pathname;
  target.search = search === "" && pathname === url.pathname ? url.search : search;
  return target;
}
