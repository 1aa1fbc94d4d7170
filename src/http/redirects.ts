import { endpointPathsMax } from "#limits/http.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import { targetOf } from "./upstream.ts";

/** The paths of the MCP endpoint: that of its URL, and those that its redirects lead to. */
export class EndpointPaths {
  readonly #paths: Set<string>;

  constructor({ url }: McpEndpoint) {
    this.#paths = new Set([url.pathname]);
  }

  /** True for the endpoint: other paths, such as those of metadata, are forwarded and not metered. */
  has({ pathname }: URL): boolean {
    return this.#paths.has(pathname);
  }

  learn({ pathname }: URL): void {
    if (this.#paths.size < endpointPathsMax) this.#paths.add(pathname);
  }
}

/** The target of a redirect: an address of the same server, as its clients reach it, or another origin. */
export type Redirect =
  | { readonly kind: "inside"; readonly target: URL; readonly location: string }
  | { readonly kind: "outside"; readonly origin: string };

/** The redirect in an answer to a request for `asked`, our own address; undefined for an answer that is none. */
export function redirectIn(
  { status, headers }: Pick<Response, "status" | "headers">,
  upstream: McpEndpoint,
  asked: URL,
): Redirect | undefined {
  const location = headers.get("location");
  if (location === null || status < 300 || status > 399) return undefined;
  const base = targetOf(upstream, asked);
  if (!URL.canParse(location, base.href)) return undefined;
  const target = new URL(location, base.href);
  if (target.origin !== upstream.url.origin) return { kind: "outside", origin: target.origin };
  const { pathname, search, hash } = target;
  // A relative one is right as it is.
  const isAbsolute = URL.canParse(location) || location.startsWith("//");
  const own = `${asked.origin}${pathname}${search}${hash}`;
  return { kind: "inside", target, location: isAbsolute ? own : location };
}
