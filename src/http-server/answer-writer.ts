import type { BodyFraming } from "#http1/framing-fields.ts";
import { answerHead, chunkOf, lastChunk } from "./answer-bytes.ts";
import { answerFraming, framingField } from "./answer-framing.ts";
import type { ClientAnswer, StreamedBody } from "./client-request.ts";
import type { RequestHead } from "./request-head.ts";

/** Takes bytes for a client; where there is a promise, it has room for the next ones when that resolves. Does not throw or reject. */
export type Outlet = {
  readonly write: (bytes: readonly Uint8Array[]) => Promise<void> | undefined;
  readonly isClosed: () => boolean;
};

/** The request that is answered. */
type AnsweredRequest = Pick<RequestHead, "method" | "minorVersion" | "persists">;

/**
 * How the writing of an answer ended: the connection may be used again, ends with the answer, or within it; `cut` where only
 * a connection that breaks off says that it is not whole.
 */
export type WrittenAnswer = "whole" | "ends" | "broken" | "cut";

/** Writes an answer. Does not reject. */
export async function writeAnswer(
  answer: ClientAnswer,
  request: AnsweredRequest,
  outlet: Outlet,
): Promise<WrittenAnswer> {
  const framing = answerFraming(answer, request);
  const persists = request.persists && framing.kind !== "connection";
  const { minorVersion } = request;
  const head = answerHead(answer, framingField(framing, answer), { minorVersion, persists });
  const { body } = answer;
  const end = persists ? "whole" : "ends";
  if (!body || body instanceof Uint8Array) {
    await outlet.write(body && framing.kind !== "none" ? [head, body] : [head]);
    return end;
  }
  await outlet.write([head]);
  if (framing.kind === "none") {
    body.left();
    return end;
  }
  if (await streamBody(body, framing, outlet)) return end;
  return framing.kind === "connection" ? "cut" : "broken";
}

/** True when all of the body was sent, and was as long as its head says. */
async function streamBody(
  body: StreamedBody,
  framing: BodyFraming,
  outlet: Outlet,
): Promise<boolean> {
  const isChunked = framing.kind === "chunked";
  let leftBytes = framing.kind === "length" ? framing.bytes : Infinity;
  try {
    for (let piece = await nextPiece(body); piece; piece = await nextPiece(body)) {
      leftBytes -= piece.length;
      // The bytes behind the announced ones would be read as the next answer.
      if (leftBytes < 0 || outlet.isClosed()) return false;
      await sendPiece(piece, outlet.write(isChunked ? chunkOf(piece) : [piece]), body);
    }
  } catch {
    return false;
  }
  if (isChunked) await outlet.write([lastChunk]);
  return framing.kind !== "length" || leftBytes === 0;
}

/** Says what becomes of a piece, and waits until the next one may be read; `room` is the wait for the socket. */
async function sendPiece(
  piece: Uint8Array,
  room: Promise<void> | undefined,
  { written, sent }: Pick<StreamedBody, "written" | "sent">,
): Promise<void> {
  const readOn = written?.(piece);
  if (room) await room;
  sent?.(piece);
  if (readOn) await readOn;
}

/** The next piece with bytes, because a chunk of none would be the last one; undefined behind the last one. */
async function nextPiece(body: StreamedBody): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await body.read();
    if (done === true || !value) return undefined;
    if (value.length > 0) return value;
  }
}
