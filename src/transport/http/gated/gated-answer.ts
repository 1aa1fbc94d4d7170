import { OverflowFile } from "#state/storage/scratch-paths.ts";
import { appendElements } from "#wire/edit-line-bytes.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import { comma, openBracket } from "#kit/text/ascii.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import { parseContentCoding } from "../answer-body.ts";
import {
  decodeBody,
  discardOverflow,
  type ReadableChunks,
  formatEvent,
  holdEvents,
  heldAnswerBytesMax,
} from "./held-events.ts";
import { yieldInTurns, toStream, type ServerAnswer } from "../relay.ts";
import { keepEndToEnd, makeBodilessHeaders, makeHeadersForReplacedBody } from "../headers.ts";
import type { MeteredExchange } from "../metered-exchange.ts";
import { makeGatewayError, makeMessagesAnswer } from "../our-answers.ts";
import { gatedSentences, httpSentences } from "../sentences.ts";
import type { RewrittenAnswer, Redirect } from "../redirects.ts";
import { makeReplacement } from "../verdict.ts";

type AnswerGate = {
  readonly metered: MeteredExchange;
  readonly request: Line | undefined;
  readonly replies: readonly Uint8Array[]; // ours, to the messages that were withheld from the server
  readonly overflowPath: () => string;
  readonly onEnd: (isWhole: boolean) => void;
  readonly onLeave: () => void;
};

/** No message in the answer reaches the client before its verdict. */
export async function gateAnswer(answer: ServerAnswer, gate: AnswerGate): Promise<Response> {
  const { metered, request, replies, onEnd } = gate;
  const { status, body } = answer;
  if (metered.hasUnsupportedType) {
    await body?.cancel();
    onEnd(false);
    return makeGatewayError(request, gatedSentences.answerTypeUnsupported());
  }
  if (!body) {
    onEnd(true);
    if (replies.length > 0) return makeMessagesAnswer(appendElements(undefined, replies));
    return new Response(null, { status, headers: keepEndToEnd(answer.headers) });
  }
  const coding = parseContentCoding(answer.headers.get("content-encoding"));
  if (coding === undefined) {
    await body.cancel();
    onEnd(false);
    return makeGatewayError(request, gatedSentences.answerCodingUnsupported());
  }
  const decoded = decodeBody(body, coding);
  const source = { ...decoded, chunks: yieldInTurns(decoded.chunks) };
  const headers = metered.simplifyContentType(keepEndToEnd(answer.headers));
  if (coding !== "none") for (const name of encodingHeaders) headers.delete(name);
  if (metered.form === "events") {
    headers.delete("content-length");
    return new Response(toStream(gateEvents(source, gate), gate.onLeave), { status, headers });
  }
  return gateWholeAnswer(answer, { source, headers }, gate);
}

const encodingHeaders = ["content-encoding", "content-length", "content-md5", "etag"];

async function* gateEvents(
  source: ReadableChunks,
  { metered, replies, overflowPath, onEnd }: AnswerGate,
): AsyncGenerator<Uint8Array, void, undefined> {
  const overflow = new OverflowFile(overflowPath);
  let isWhole = false;
  try {
    for (const message of replies) yield formatEvent(message);
    yield* holdEvents(source, {
      judge: (event) => metered.judgeEvent(event),
      overflow,
      whenCaughtUp: () => metered.whenCaughtUp(),
      markResumable: () => metered.markResumable(),
    });
    isWhole = true;
  } finally {
    discardOverflow(overflow);
    onEnd(isWhole);
  }
}

type ReadableAnswer = { readonly source: ReadableChunks; readonly headers: Headers };

async function gateWholeAnswer(
  answer: ServerAnswer,
  { source, headers }: ReadableAnswer,
  gate: AnswerGate,
): Promise<Response> {
  const held = await holdOrFail(source, gate);
  if (held instanceof Response) return held;
  const { status } = answer;
  // A client would ignore our replies in an HTTP error.
  const replies = status < 300 ? gate.replies : [];
  const verdict = await gate.metered.judgeBody(held.line);
  gate.onEnd(true);
  // If the forwarded messages include no request, the server sends an empty 202, which cannot contain our replies.
  if (replies.length > 0 && held.line.size === 0)
    return makeMessagesAnswer(appendElements(undefined, replies));
  if (verdict.passes) return passAnswer(answer, held, { headers, replies, gate });
  held.discard();
  if (verdict.isLate && replies.length === 0) return makeMessagesAnswer(undefined);
  const message = appendReplies(makeReplacement(verdict), replies);
  if (!message) return makeWithheldAnswer(answer, gate);
  return new Response(message, { status, headers: makeHeadersForReplacedBody(answer) });
}

type Passing = Pick<ReadableAnswer, "headers"> &
  Pick<AnswerGate, "replies"> & { readonly gate: AnswerGate };

function passAnswer(
  answer: ServerAnswer,
  held: HeldBody,
  { headers, replies, gate }: Passing,
): Response {
  const { status } = answer;
  const { bytes } = held.line;
  if (replies.length === 0) {
    return new Response(bytes ?? streamBody(held, gate, []), { status, headers });
  }
  const body = bytes ? appendElements(bytes, replies) : streamBody(held, gate, replies);
  return new Response(body, { status, headers: makeHeadersForReplacedBody(answer) });
}

function appendReplies(
  message: Uint8Array | undefined,
  replies: readonly Uint8Array[],
): Uint8Array | undefined {
  return replies.length > 0 ? appendElements(message, replies) : message;
}

async function holdOrFail(
  { chunks }: ReadableChunks,
  { request, overflowPath, onEnd }: AnswerGate,
): Promise<HeldBody | Response> {
  try {
    const held = await holdBody(chunks, new OverflowFile(overflowPath));
    if (held) return held;
    onEnd(false);
    return makeGatewayError(request, gatedSentences.answerTooLong());
  } catch {
    onEnd(false);
    return makeGatewayError(request, gatedSentences.answerBrokenOff());
  }
}

function makeWithheldAnswer(answer: ServerAnswer, { request, metered }: AnswerGate): Response {
  const { status } = answer;
  const init = { headers: makeHeadersForReplacedBody(answer) };
  if (!metered.isRequest) return new Response(null, { status, ...init });
  const { body } = makeGatewayError(request, gatedSentences.answerWithheld());
  return new Response(body, { status: status < 400 ? 502 : status, ...init });
}

function streamBody(
  held: HeldBody,
  { onLeave }: AnswerGate,
  replies: readonly Uint8Array[],
): ReadableStream<Uint8Array> {
  return toStream(streamChunks(held, replies), () => {
    held.discard();
    onLeave();
  });
}

// With replies, the body becomes the first element of a batch.
async function* streamChunks(
  { chunks }: HeldBody,
  replies: readonly Uint8Array[],
): AsyncGenerator<Uint8Array, void, undefined> {
  if (replies.length === 0) return yield* chunks();
  yield Uint8Array.of(openBracket);
  yield* chunks();
  const rest = appendElements(undefined, replies);
  rest[0] = comma;
  yield rest;
}

// Passes the redirect if the client will repeat the request at a metered address, but without the redirect's body,
// because some clients would read it. Replaces any other redirect with an error.
export function gateRedirect(
  { answer, clientRepeats }: RewrittenAnswer,
  redirect: Redirect,
  request: Line | undefined,
  server: string,
): Response {
  const { status, headers } = answer;
  if (redirect.kind === "outside")
    return makeGatewayError(request, httpSentences.redirectedElsewhere(server, redirect.origin));
  if (!clientRepeats) return makeGatewayError(request, gatedSentences.redirectUnmetered(server));
  return new Response(null, { status, headers: makeBodilessHeaders(headers) });
}

type HeldBody = {
  readonly line: Line;
  // Call `chunks` once. A long body's overflow file stays open until the chunks are read or `discard` is called.
  readonly chunks: () => Iterable<Uint8Array>;
  readonly discard: () => void;
};

/** Undefined beyond `heldAnswerBytesMax`. Long bodies go to a file. */
export async function holdBody(
  chunks: AsyncIterable<Uint8Array>,
  overflow: OverflowFile,
): Promise<HeldBody | undefined> {
  const discard = (): void => discardOverflow(overflow);
  const gatherer = new LineGatherer(lineObservedBytesMax, overflow);
  try {
    for await (const chunk of chunks) {
      gatherer.add(chunk);
      if (gatherer.size > heldAnswerBytesMax) {
        discard();
        return undefined;
      }
    }
  } catch (error) {
    discard();
    throw error;
  }
  const line = gatherer.take();
  const { bytes } = line;
  return { line, discard, chunks: () => (bytes ? [bytes] : overflow.take()) };
}
