import { redirectPathMax } from "#kit/limits.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import type { AnswerHead, ServerAnswer } from "./relay.ts";
import { plainPath, targetOf } from "./headers.ts";

// Redirects, mostly to a slash at the end. Clients follow five, and quote the next one.
export const endpointPathsMax = 6;

/** The paths of the MCP endpoint: that of its URL, and those that its redirects lead to. */
export class EndpointPaths {
  readonly #paths: Set<string>;

  constructor({ url }: McpEndpoint) {
    this.#paths = new Set([plainPath(url.pathname)]);
  }

  /** True for the endpoint: other paths, such as those of metadata, are forwarded and not metered. */
  has({ pathname }: URL): boolean {
    return this.#paths.has(plainPath(pathname));
  }

  /** False for a redirect that may lead in a circle: clients give up there, and quote the path. */
  leadsOn(from: URL, to: URL): boolean {
    const [before, behind] = [from, to].map(({ pathname }) =>
      [...this.#paths].indexOf(plainPath(pathname)),
    );
    return Number(behind) > Number(before) || (before === 0 && behind === 0);
  }

  learn({ pathname }: URL): void {
    if (pathname.length > redirectPathMax) return;
    if (this.#paths.size < endpointPathsMax) this.#paths.add(plainPath(pathname));
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
function redirectIn(answer: AnswerHead, upstream: McpEndpoint, asked: URL): Redirect | undefined {
  if (!isRedirect(answer)) return undefined;
  const location = answer.headers.get("location") ?? "";
  const target = URL.parse(location, targetOf(upstream, asked).href);
  if (!target) return undefined;
  if (target.origin !== upstream.url.origin) return { kind: "outside", origin: target.origin };
  const { pathname, search, hash } = target;
  // A relative one is right as it is, unless it names a host, which it can in odd ways: `/\\host`.
  const isRelative = new URL(location, asked.href).origin === asked.origin;
  const own = `${asked.origin}${pathname}${search}${hash}`;
  return { kind: "inside", target, location: isRelative ? location : own };
}

/** An answer whose redirect, if it is one, leads clients to our address. */
export type DirectedAnswer = {
  readonly answer: ServerAnswer;
  readonly redirect: Redirect | undefined;
  /** True when the client follows it with the same request, to an address that is metered. */
  readonly isAskedAgain: boolean;
};

type Asked = {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly request: { readonly method: string; readonly url: URL };
  /** False for a path that is not metered: its redirects lead to none that is. */
  readonly isMetered: boolean;
};

/** A redirect to another address of the server leads clients to ours, or they would leave. */
export function directAnswer(answer: ServerAnswer, asked: Asked): DirectedAnswer {
  const { upstream, endpoint, request, isMetered } = asked;
  const redirect = redirectIn(answer, upstream, request.url);
  if (redirect?.kind !== "inside") return { answer, redirect, isAskedAgain: false };
  if (isMetered) endpoint.learn(redirect.target);
  const { status, body } = answer;
  const headers = new Headers(answer.headers);
  headers.set("location", redirect.location);
  const isMeteredThere = endpoint.leadsOn(request.url, redirect.target);
  const isAskedAgain = isMeteredThere && keepsRequest(request.method, status);
  return { answer: { status, headers, body }, redirect, isAskedAgain };
}
