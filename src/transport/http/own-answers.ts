import { rawIdAt } from "#meter/calls/arrival.ts";
import type { Line } from "#wire/line.ts";
import { errorLine } from "#wire/reply.ts";
import { mcpClientSentences } from "#check/mcp-client/sentences.ts";

export function textAnswer(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

/** JSON-RPC error code when the server's answer is missing or cannot be forwarded. */
const gatewayCode = -31_901;

export function unreachableAnswer(
  asked: Line | undefined,
  shown: string,
  reason: string,
): Response {
  return gatewayAnswer(asked, mcpClientSentences.upstreamUnreachable(shown, reason));
}

export function gatewayAnswer(asked: Line | undefined, sentence: string): Response {
  const error = { code: gatewayCode, message: `mcp-meter: ${sentence}` };
  const id = asked ? rawIdAt({ line: asked, item: undefined }) : "null";
  return jsonAnswer(502, errorLine(id, error));
}

/** Our lines instead of an answer; status 202 where there are none, as after a notification. */
export function ownAnswer(lines: Uint8Array | undefined): Response {
  return lines ? jsonAnswer(200, lines) : new Response(null, { status: 202 });
}

function jsonAnswer(status: number, bytes: Uint8Array): Response {
  return new Response(bytes, { status, headers: { "content-type": "application/json" } });
}
