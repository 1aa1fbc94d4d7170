import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import type { ServerAnswer } from "#http-client/answer.ts";
import { type EndpointPaths, keepsRequest, type Redirect, redirectIn } from "./redirects.ts";

/** An answer whose redirect, if it is one, leads clients to our address. */
export type DirectedAnswer = {
  readonly answer: ServerAnswer;
  readonly redirect: Redirect | undefined;
  /** True when the client follows it with the same request, to an address that is metered. */
  readonly isAskedAgain: boolean;
};

/** The server, and the request that it answers. */
type Asked = {
  readonly upstream: McpEndpoint;
  readonly endpoint: EndpointPaths;
  readonly request: { readonly method: string; readonly url: URL };
  /** False for a path that is not metered: its redirects lead to none that is. */
  readonly isMetered: boolean;
};

/** A redirect to another address of the server leads clients to ours, or they would leave. */
export function directed(answer: ServerAnswer, asked: Asked): DirectedAnswer {
  const { upstream, endpoint, request, isMetered } = asked;
  const redirect = redirectIn(answer, upstream, request.url);
  if (redirect?.kind !== "inside") return { answer, redirect, isAskedAgain: false };
  if (isMetered) endpoint.learn(redirect.target);
  const isAskedAgain = endpoint.has(redirect.target) && keepsRequest(request.method, answer.status);
  const headers = new Headers(answer.headers);
  headers.set("location", redirect.location);
  return { answer: { ...answer, headers }, redirect, isAskedAgain };
}
