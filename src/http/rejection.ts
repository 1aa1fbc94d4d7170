import { rawIdAt } from "#calls/arrival.ts";
import type { Line } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { errorLine } from "#wire/reply.ts";

const decoder = new TextDecoder();

/**
 * The body of an answer with a status of 400 or more, as clients read it: an error whose message is the text of the body. A
 * message that answers the request is itself. Undefined for a body that is too long to be read.
 */
export function rejectionLine(body: Line, asked: Line, status: number): Line | undefined {
  if (!body.bytes) return undefined;
  const message = parseMessage(body);
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.id !== undefined ? body : rejectionText(body, asked, status);
}

/**
 * The same with all of the text, also where it is a message: most clients show it whole, with members that no other client
 * reads.
 */
export function rejectionText(body: Line, asked: Line, status: number): Line | undefined {
  if (!body.bytes) return undefined;
  const error = { code: status, message: decoder.decode(body.bytes) };
  const bytes = errorLine(rawIdAt({ line: asked, item: undefined }), error);
  return { bytes, size: body.size, skim: undefined };
}
