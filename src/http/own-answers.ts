import { sentences } from "#errors.ts";
import type { ClientAnswer } from "#http-server/client-request.ts";
import { rawIdAt } from "#calls/arrival.ts";
import type { Line } from "#wire/line.ts";
import { errorLine } from "#wire/reply.ts";

const encoder = new TextEncoder();

/** Our answer in words. */
export function textAnswer(status: number, text: string): ClientAnswer {
  const headers = new Headers({ "content-type": "text/plain; charset=utf-8" });
  return { status, headers, body: encoder.encode(`${text}\n`) };
}

/** Code of an error of JSON-RPC in place of an answer of the server that there is not, or that cannot be handed on. */
const gatewayCode = -31_901;

/** The answer to a message that did not reach the server. */
export function unreachableAnswer(
  asked: Line | undefined,
  shown: string,
  reason: string,
): ClientAnswer {
  return gatewayAnswer(asked, sentences.upstreamUnreachable(shown, reason));
}

/** Status 502 with an error of JSON-RPC that has the id of the request. */
export function gatewayAnswer(asked: Line | undefined, sentence: string): ClientAnswer {
  const error = { code: gatewayCode, message: `mcp-meter: ${sentence}` };
  const id = asked ? rawIdAt({ line: asked, item: undefined }) : "null";
  return jsonAnswer(502, errorLine(id, error));
}

/** Our lines in place of an answer; where there are none, as after a notification, status 202. */
export function ownAnswer(lines: Uint8Array | undefined): ClientAnswer {
  return lines ? jsonAnswer(200, lines) : bodilessAnswer({ status: 202 });
}

function jsonAnswer(status: number, bytes: Uint8Array): ClientAnswer {
  const headers = new Headers({ "content-type": "application/json" });
  return { status, headers, body: bytes };
}

/** An answer without a body. */
export function bodilessAnswer(
  head: Pick<ClientAnswer, "status"> & Partial<ClientAnswer>,
): ClientAnswer {
  return { headers: new Headers(), ...head, body: undefined };
}
