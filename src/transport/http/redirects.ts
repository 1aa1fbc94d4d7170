import { redirectPathMax } from "#kit/limits.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead, ServerAnswer } from "./relay.ts";
import { normalizePath, makeTargetUrl } from "./headers.ts";

// Redirects, mostly to a slash at the end. Clients follow five, and quote the next one.
export const endpointPathsMax = 6;

/** The paths of the MCP endpoint: that of its URL, and those that its redirects lead to. */
export class EndpointPaths {
  readonly #paths: Set<string>;

  constructor({ url }: McpEndpoint) {
    this.#paths = new Set([normalizePath(url.pathname)]);
  }

  /** True for the endpoint: other paths, such as those of metadata, are forwarded and not metered. */
  has({ pathname }: URL): boolean {
    return this.#paths.has(normalizePath(pathname));
  }

  /** False for a redirect that may lead in a circle: clients give up there, and quote the path. */
  leadsForward(from: URL, to: URL): boolean {
    const [before, behind] = [from, to].map(({ pathname }) =>
      [...this.#paths].indexOf(normalizePath(pathname)),
    );
    return Number(behind) > Number(before) || (before === 0 && behind === 0);
  }

  learn({ pathname }: URL): void {
    if (pathname.length > redirectPathMax) return;
    if (this.#paths.size < endpointPathsMax) this.#paths.add(normalizePath(pathname));
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Those of them with which they send the same request there. */
const sameRequestStatuses: ReadonlySet<number> = new Set([307, 308]);

/** True for an answer that leads clients somewhere else; they do not read its body. */
export function isRedirect({ status, headers }: AnswerHead): boolean {
  const location = headers.get("location");
  if (location === null || !redirectStatuses.has(status)) return false;
  return URL.canParse(location, "http://localhost");
}

/** True for a redirect with which clients send a request with that method once more as it is. */
function keepsRequest(method: string, status: number): boolean {
  return method === "GET" || sameRequestStatuses.has(status);
}

export type Redirect =
  | { readonly kind: "inside"; readonly target: URL; readonly location: string }
  | { readonly kind: "outside"; readonly origin: string };

/** The redirect in an answer to a request for `asked`, our own address; undefined for an answer that is none. */
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
  // A relative one is right as it is, unless it names a host, which it can in odd ways: `/\\host`.
  const isRelative = new URL(location, requestUrl.href).origin === requestUrl.origin;
  const localLocation = `${requestUrl.origin}${pathname}${search}${hash}`;
  return { kind: "inside", target, location: isRelative ? location : localLocation };
}

/** An answer whose redirect, if it is one, leads clients to our address. */
export type RewrittenAnswer = {
  readonly answer: ServerAnswer;
  readonly redirect: Redirect | undefined;
  /** True when the client follows it with the same request, to an address that is metered. */
  readonly isRepeated: boolean;
};

type RedirectContext = {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly request: { readonly method: string; readonly url: URL };
  /** False for a path that is not metered: its redirects lead to none that is. */
  readonly isMetered: boolean;
};

/** A redirect to another address of the server leads clients to ours, or they would leave. */
export function rewriteRedirect(answer: ServerAnswer, context: RedirectContext): RewrittenAnswer {
  const { upstream, endpoint, request, isMetered } = context;
  const redirect = parseRedirect(answer, upstream, request.url);
  if (redirect?.kind !== "inside") return { answer, redirect, isRepeated: false };
  if (isMetered) endpoint.learn(redirect.target);
  const { status, body } = answer;
  const headers = new Headers(answer.headers);
  headers.set("location", redirect.location);
  const isMeteredThere = endpoint.leadsForward(request.url, redirect.target);
  const isRepeated = isMeteredThere && keepsRequest(request.method, status);
  return { answer: { status, headers, body }, redirect, isRepeated };
}
