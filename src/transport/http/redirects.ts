import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead, ServerAnswer } from "./relay.ts";
import { normalizePath, makeTargetUrl } from "./headers.ts";

// Clients quote a redirect's target in errors, so a long path, query or fragment could bring unmetered text to the
// model.
export const redirectPathMax = 256;

// The configured path and five redirects. Clients do not follow a sixth redirect, but quote its path in an error.
export const endpointPathsMax = 6;

export class EndpointPaths {
  readonly #paths: Set<string>;

  constructor({ url }: McpEndpoint) {
    this.#paths = new Set([normalizePath(url.pathname)]);
  }

  // Other paths, such as those for OAuth metadata, are forwarded but not metered.
  has({ pathname }: URL): boolean {
    return this.#paths.has(normalizePath(pathname));
  }

  // False if `to` is not metered. Also false if the redirect may lead into a loop: clients then fail with an error that
  // quotes the loop's path, which the server chose. The configured path may redirect to itself, for example to add a
  // slash.
  leadsForward(from: URL, to: URL): boolean {
    const [fromIndex, toIndex] = [from, to].map(({ pathname }) =>
      [...this.#paths].indexOf(normalizePath(pathname)),
    );
    const isSame = to.pathname === from.pathname && to.search === from.search;
    return Number(toIndex) > Number(fromIndex) || (fromIndex === 0 && toIndex === 0 && !isSame);
  }

  learn({ pathname }: URL): void {
    if (pathname.length > redirectPathMax) return;
    if (this.#paths.size < endpointPathsMax) this.#paths.add(normalizePath(pathname));
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const sameRequestStatuses: ReadonlySet<number> = new Set([307, 308]);

// True if clients follow the redirect and do not read the body.
export function isRedirect({ status, headers }: AnswerHead): boolean {
  const location = headers.get("location");
  if (location === null || !redirectStatuses.has(status)) return false;
  return URL.canParse(location, "http://localhost");
}

export type Redirect =
  | { readonly kind: "inside"; readonly target: URL; readonly location: string }
  | { readonly kind: "outside"; readonly origin: string };

// `requestUrl` is at the address of mcp-meter, not of the server.
function parseRedirect(
  answer: AnswerHead,
  upstream: McpEndpoint,
  requestUrl: URL,
): Redirect | undefined {
  if (!isRedirect(answer)) return undefined;
  const location = answer.headers.get("location") ?? "";
  const target = URL.parse(location, makeTargetUrl(upstream, requestUrl).href);
  if (!target) return undefined;
  if (target.origin !== upstream.url.origin) return { kind: "outside", origin: target.origin };
  const { pathname, search, hash } = target;
  // A relative location stays unchanged, unless it names a host in an odd way: `/\\host`.
  const isRelative = new URL(location, requestUrl.href).origin === requestUrl.origin;
  const localLocation = `${requestUrl.origin}${pathname}${search}${hash}`;
  return { kind: "inside", target, location: isRelative ? location : localLocation };
}

export type RewrittenAnswer = {
  readonly answer: ServerAnswer;
  readonly redirect: Redirect | undefined;
  readonly clientRepeats: boolean; // the same request, at a metered address
};

type RedirectContext = {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly request: { readonly method: string; readonly url: URL };
  readonly isMetered: boolean;
};

export function rewriteRedirect(answer: ServerAnswer, context: RedirectContext): RewrittenAnswer {
  const { upstream, endpoint, request, isMetered } = context;
  const redirect = parseRedirect(answer, upstream, request.url);
  if (redirect?.kind !== "inside") return { answer, redirect, clientRepeats: false };
  if (isMetered) endpoint.learn(redirect.target);
  const { status, body } = answer;
  const headers = new Headers(answer.headers);
  headers.set("location", redirect.location);
  const from = makeTargetUrl(upstream, request.url);
  const leadsForward = endpoint.leadsForward(from, redirect.target);
  const { search, hash } = redirect.target;
  // If the query only repeats that of the request or of the configured URL, it is not the server's text.
  const addedSearch = search === from.search ? "" : search;
  const isShort = addedSearch.length + hash.length <= redirectPathMax;
  const keepsRequest = request.method === "GET" || sameRequestStatuses.has(status);
  const clientRepeats = leadsForward && isShort && keepsRequest;
  return { answer: { status, headers, body }, redirect, clientRepeats };
}
