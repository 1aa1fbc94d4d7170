import { OverflowFile } from "#state/storage/scratch-paths.ts";
import { appendElements } from "#wire/elements.ts";
import { type Line, LineGatherer } from "#wire/line.ts";
import { codingOf } from "../body-decoder.ts";
import {
  decodedChunks,
  type ReadableChunks,
  eventOf,
  heldEvents,
  heldAnswerBytesMax,
} from "./held-events.ts";
import { inTurns, streamed, type ServerAnswer } from "../relay.ts";
import { answerHeaders, bodilessHeaders, ownBodyHeaders } from "../headers.ts";
import type { MeteredExchange } from "../metered-exchange.ts";
import { gatewayAnswer, ownAnswer } from "../own-answers.ts";
import type { DirectedAnswer, Redirect } from "../redirects.ts";
import { insteadOf } from "../verdict.ts";
import { httpSentences } from "../sentences.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

type AnswerGate = {
  readonly metered: MeteredExchange;
  readonly asked: Line | undefined;
  readonly besides: readonly Uint8Array[];
  readonly overflowPath: () => string;
  readonly ended: (isWhole: boolean) => void;
  readonly left: () => void;
};

/** The answer as the client gets it: no message in it arrives before its verdict. */
export async function gatedAnswer(answer: ServerAnswer, gate: AnswerGate): Promise<Response> {
  const { metered, asked, besides, ended } = gate;
  const { status, body } = answer;
  if (metered.isUnreadable) {
    await body?.cancel();
    ended(false);
    return gatewayAnswer(asked, gatedSentences.answerTyped());
  }
  if (!body) {
    ended(true);
    if (besides.length > 0) return ownAnswer(appendElements(undefined, besides));
    return new Response(null, { status, headers: answerHeaders(answer.headers) });
  }
  const coding = codingOf(answer.headers.get("content-encoding"));
  if (coding === undefined) {
    await body.cancel();
    ended(false);
    return gatewayAnswer(asked, gatedSentences.answerCoded());
  }
  const decoded = decodedChunks(body, coding);
  const read = { ...decoded, chunks: inTurns(decoded.chunks) };
  const headers = metered.readable(answerHeaders(answer.headers));
  if (coding !== "none") for (const name of codedHeaders) headers.delete(name);
  if (metered.form === "events") {
    headers.delete("content-length");
    return new Response(streamed(events(read, gate), gate.left), { status, headers });
  }
  return wholeAnswer(answer, { read, headers }, gate);
}

const codedHeaders = ["content-encoding", "content-length", "content-md5", "etag"];

async function* events(
  read: ReadableChunks,
  { metered, besides, overflowPath, ended }: AnswerGate,
): AsyncGenerator<Uint8Array, void, undefined> {
  const overflow = new OverflowFile(overflowPath);
  let isWhole = false;
  try {
    for (const message of besides) yield eventOf(message);
    yield* heldEvents(read, {
      judge: (event) => metered.judgeEvent(event),
      overflow,
      room: () => metered.room(),
      resumable: () => metered.resumable(),
    });
    isWhole = true;
  } finally {
    overflow.take(true).next();
    ended(isWhole);
  }
}

type ReadableAnswer = { readonly read: ReadableChunks; readonly headers: Headers };

async function wholeAnswer(
  answer: ServerAnswer,
  { read, headers }: ReadableAnswer,
  gate: AnswerGate,
): Promise<Response> {
  const held = await heldOrFailure(read, gate);
  if (held instanceof Response) return held;
  const { status } = answer;
  // A client throws away what else a rejection brings.
  const besides = status < 300 ? gate.besides : [];
  const verdict = await gate.metered.judgeBody(held.line);
  gate.ended(true);
  if (verdict.passes && besides.length === 0) {
    return new Response(bodyOf(held, gate), { status, headers });
  }
  held.discard();
  if (!verdict.passes && verdict.isLate && besides.length === 0) return ownAnswer(undefined);
  const rest = verdict.passes ? held.line.bytes : insteadOf(verdict);
  // The answer to notifications alone is empty.
  if (besides.length > 0 && held.line.size === 0)
    return ownAnswer(appendElements(undefined, besides));
  const message = joined(rest, besides);
  if (!message) return withheldAnswer(answer, gate);
  return new Response(message, { status, headers: ownBodyHeaders(answer) });
}

function joined(
  message: Uint8Array | undefined,
  besides: readonly Uint8Array[],
): Uint8Array | undefined {
  return besides.length > 0 ? appendElements(message, besides) : message;
}

async function heldOrFailure(
  { chunks }: ReadableChunks,
  { asked, overflowPath, ended }: AnswerGate,
): Promise<HeldBody | Response> {
  try {
    const held = await heldBody(chunks, new OverflowFile(overflowPath));
    if (held) return held;
    ended(false);
    return gatewayAnswer(asked, gatedSentences.answerTooLong());
  } catch {
    ended(false);
    return gatewayAnswer(asked, gatedSentences.answerBrokenOff());
  }
}

function withheldAnswer(answer: ServerAnswer, { asked, metered }: AnswerGate): Response {
  const { status } = answer;
  const own = { headers: ownBodyHeaders(answer) };
  if (!metered.isAwaited) return new Response(null, { status, ...own });
  const { body } = gatewayAnswer(asked, gatedSentences.answerWithheld());
  return new Response(body, { status: status < 400 ? 502 : status, ...own });
}

/** The bytes of a held body: those in memory at once, those of a file as they are read. */
function bodyOf(held: HeldBody, { left }: AnswerGate): Uint8Array | ReadableStream<Uint8Array> {
  if (held.line.bytes) return held.line.bytes;
  return streamed(partsOf(held), () => {
    held.discard();
    left();
  });
}

async function* partsOf({ parts }: HeldBody): AsyncGenerator<Uint8Array, void, undefined> {
  yield* parts();
}

/** Where limits are enforced, a redirect leads to metered addresses alone, with the same request, and has no body: clients that do not follow it read that. */
export function gatedRedirect(
  { answer, isAskedAgain }: DirectedAnswer,
  redirect: Redirect,
  asked: Line | undefined,
  shown: string,
): Response {
  const { status, headers } = answer;
  if (redirect.kind === "outside")
    return gatewayAnswer(asked, httpSentences.redirectLeaves(shown, redirect.origin));
  if (!isAskedAgain) return gatewayAnswer(asked, gatedSentences.redirectUnmetered(shown));
  return new Response(null, { status, headers: bodilessHeaders(headers) });
}

export const gatedSentences = {
  answerCoded: () =>
    "The server compressed its answer in a way that cannot be read, so it is withheld: limits on calls are enforced",
  answerTyped: () =>
    "The server's answer is neither JSON nor a stream of events, so it is withheld: limits on calls are enforced",
  answerTooLong: () => "The server's answer is too long to be held until it is decided",
  answerBrokenOff: () => "The server broke its answer off",
  answerWithheld: () => "The server's answer is not one to this request, so it is withheld",
  redirectUnmetered: (shown: string) =>
    `The server at ${shown} redirects in a way that clients do not follow, or too often, and limits on calls are enforced`,
} as const;

type HeldBody = {
  readonly line: Line;
  /** Its bytes, part by part; to be called once. Without a call of this or `discard`, its file stays open. */
  readonly parts: () => Iterable<Uint8Array>;
  readonly discard: () => void;
};

/** Reads a whole body; undefined for one that is too long. Bytes beyond those in memory are in a file. Rejects as the chunks do. */
export async function heldBody(
  chunks: AsyncIterable<Uint8Array>,
  overflow: OverflowFile,
): Promise<HeldBody | undefined> {
  const discard = (): void => void overflow.take(true).next();
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
  return { line, discard, parts: () => (bytes ? [bytes] : overflow.take()) };
}
