import { statusUnknown } from "#http-sentences.ts";
import { errorCode } from "#os/error-code.ts";
import { requestHeaders } from "./headers.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import { targetOf } from "./upstream.ts";

/** A request as it is sent: the client's own but for its body. */
export type Sending = {
  readonly request: Pick<Request, "url" | "method" | "headers">;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
  /** True when the answer must be readable: no coding is asked for. */
  readonly isGated: boolean;
};

/** The answer of the server, or why there is none: a system error code or a clause. */
export async function send(
  upstream: McpEndpoint,
  { request, body, signal, isGated }: Sending,
): Promise<Response | { readonly reason: string }> {
  const { url, method } = request;
  const headers = requestHeaders(request.headers, upstream.headers);
  if (isGated) headers.set("accept-encoding", "identity");
  try {
    const answer = await fetch(targetOf(upstream, new URL(url)), {
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
    const { status } = answer;
    // The runtime can hand on no other.
    if (status >= 200 && status <= 599) return answer;
    await answer.body?.cancel();
    return { reason: statusUnknown(status) };
  } catch (error) {
    return { reason: errorCode(error) };
  }
}
