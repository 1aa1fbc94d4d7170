import { rawIdAt } from "#meter/calls/arrival.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { appendElements } from "#wire/elements.ts";
import type { Line } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { errorLine } from "#wire/reply.ts";
import type { AnswerHead } from "./send.ts";

const decoder = new TextDecoder();

/**
 * The body of an answer with a status of 400 or more, as clients read it: an error whose message is the text of the body. A
 * message that answers the request is itself. Undefined for a body that is too long to be read.
 */
export function rejectionLine(body: Line, asked: Line, head: AnswerHead): Line | undefined {
  if (!body.bytes) return undefined;
  const message = parseMessage(body);
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.id !== undefined ? body : rejectionText(body, asked, head);
}

/** The same with all of the text, also where it is a message: most clients show it whole, with members that no other client reads. */
export function rejectionText(body: Line, asked: Line, head: AnswerHead): Line | undefined {
  if (!body.bytes) return undefined;
  const bytes = errorLine(rawIdAt({ line: asked, item: undefined }), errorIn(body.bytes, head));
  return { bytes, size: body.size, skim: undefined };
}

/** An error for each request of a batch, because a client shows the text for each. Undefined without a request, and where they would be too long. */
export function batchRejection(body: Line, asked: Line, head: AnswerHead): Line | undefined {
  const message = parseMessage(asked);
  if (!body.bytes || message.kind !== "batch") return undefined;
  const requests = message.items.flatMap(({ kind }, item) => (kind === "request" ? [item] : []));
  if (requests.length === 0 || requests.length * body.size > lineObservedBytesMax) return undefined;
  const error = errorIn(body.bytes, head);
  const errors = requests.map((item) => errorLine(rawIdAt({ line: asked, item }), error));
  const bytes = appendElements(undefined, errors);
  return { bytes, size: bytes.length, skim: undefined };
}

/** Some clients quote the challenge of a 403 instead of its text. */
function errorIn(bytes: Uint8Array, { status, headers }: AnswerHead) {
  const challenge = status === 403 ? (headers.get("www-authenticate") ?? "") : "";
  return { code: status, message: challenge + decoder.decode(bytes) };
}
