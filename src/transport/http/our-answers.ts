import { readRawId } from "#meter/calls/call.ts";
import type { Line } from "#wire/line.ts";
import { makeErrorLine } from "#wire/message.ts";

export function makeTextAnswer(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

const gatewayCode = -31_901;

export function makeGatewayError(request: Line | undefined, sentence: string): Response {
  const error = { code: gatewayCode, message: `mcp-meter: ${sentence}` };
  const id = request ? readRawId({ line: request, item: undefined }) : "null";
  return makeJsonAnswer(502, makeErrorLine(id, error));
}

export function makeMessagesAnswer(lines: Uint8Array | undefined): Response {
  return lines ? makeJsonAnswer(200, lines) : new Response(null, { status: 202 });
}

function makeJsonAnswer(status: number, bytes: Uint8Array): Response {
  return new Response(bytes, { status, headers: { "content-type": "application/json" } });
}
