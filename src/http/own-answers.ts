import { sentences } from "#errors.ts";
import { rawIdAt } from "#calls/arrival.ts";
import type { Line } from "#wire/line.ts";

/** Our answer in words. */
export function textAnswer(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

const unreachableCode = -31_901;

/** The answer to a message that did not reach the server: an error of JSON-RPC with its id. */
export function unreachableAnswer(
  asked: Line | undefined,
  shown: string,
  reason: string,
): Response {
  const message = `mcp-meter: ${sentences.upstreamUnreachable(shown, reason)}`;
  const error = JSON.stringify({ code: unreachableCode, message });
  const id = asked ? rawIdAt({ line: asked, item: undefined }) : "null";
  return new Response(`{"jsonrpc":"2.0","id":${id},"error":${error}}`, {
    status: 502,
    headers: { "content-type": "application/json" },
  });
}
