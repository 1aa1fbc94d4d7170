import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";

/** The address of a request at the server: the same path there, and the query of the server's URL if it has none. */
export function targetOf({ url }: McpEndpoint, { pathname, search }: URL): URL {
  const target = new URL(url);
  target.pathname = pathname;
  target.search = search === "" && pathname === url.pathname ? url.search : search;
  return target;
}

/** True for the path of the MCP endpoint: others, such as those of metadata, are forwarded and not metered. */
export function isEndpoint({ url }: McpEndpoint, { pathname }: URL): boolean {
  return pathname === url.pathname;
}
