import type { AskServer, ServerAnswer } from "#http-client/answer.ts";
import type { Leaving } from "#http1/leaving.ts";
import type { ClientRequest } from "#http-server/client-request.ts";
import { errorCode } from "#os/error-code.ts";
import { requestHeaders } from "./headers.ts";
import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import { targetOf } from "./upstream.ts";

/** A request as it is sent: the client's own but for its body. */
export type Sending = {
  readonly ask: AskServer;
  readonly request: Pick<ClientRequest, "method" | "headers">;
  /** The URL that the client asked for. */
  readonly asked: URL;
  readonly body: Uint8Array | undefined;
  readonly leaving: Leaving;
  /** True when the answer must be readable: no coding is asked for. */
  readonly isGated: boolean;
};

/** Statuses that an answer may end with. */
const [statusMin, statusMax] = [200, 599];

/** The answer of the server, or why there is none: a system error code or a clause. */
export async function send(
  upstream: McpEndpoint,
  { ask, request, asked, body, leaving, isGated }: Sending,
): Promise<ServerAnswer | { readonly reason: string }> {
  const { method } = request;
  const headers = requestHeaders(request.headers, upstream.headers);
  if (isGated) headers.set("accept-encoding", "identity");
  try {
    const target = targetOf(upstream, asked);
    const answer = await ask({ method, url: target, headers, body, leaving });
    if (answer.status >= statusMin && answer.status <= statusMax) return answer;
    await answer.body?.cancel();
    return { reason: `it answers with the status ${answer.status}, which HTTP does not have` };
  } catch (error) {
    return { reason: errorCode(error) };
  }
}
