import { errorCode } from "#kit/os/error-code.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { requestHeaders } from "./headers.ts";
import { targetOf } from "./upstream.ts";

export type AnswerHead = { readonly status: number; readonly headers: Headers };

export type ServerAnswer = AnswerHead & { readonly body: ReadableStream<Uint8Array> | null };

export type Sending = {
  readonly request: { readonly method: string; readonly url: URL; readonly headers: Headers };
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** True when the answer must be readable: no coding is asked for. */
  readonly isGated: boolean;
};

const [statusMin, statusMax] = [200, 599];

/** The answer of the server, or why there is none: a system error code or a clause. */
export async function send(
  upstream: McpEndpoint,
  { request, body, signal, isGated }: Sending,
): Promise<ServerAnswer | { readonly reason: string }> {
  const { method, url } = request;
  const headers = requestHeaders(request.headers, upstream.headers);
  if (isGated) headers.set("accept-encoding", "identity");
  try {
    const answer = await fetch(targetOf(upstream, url), {
      method,
      headers,
      ...(body ? { body } : {}),
      // A redirect may lead to another host, which must not get the headers of this one.
      redirect: "manual",
      decompress: false,
      // A stream may be silent for hours.
      timeout: false,
      signal,
    });
    if (answer.status >= statusMin && answer.status <= statusMax) return answer;
    await answer.body?.cancel();
    return { reason: `it answers with the status ${answer.status}, which HTTP does not have` };
  } catch (error) {
    return { reason: errorCode(error) };
  }
}
