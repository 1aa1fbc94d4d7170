import type { Effects } from "#meter/session/event.ts";
import { appendElements, arrayElements, keepElements } from "#wire/elements.ts";
import { isJsonSpace, openBracket } from "#kit/text/ascii.ts";
import type { Line } from "#wire/line.ts";
import { isObject } from "#wire/json.ts";
import { type Message, type SingleMessage, errorLine } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { nextTurn, sliceMaxMs, type AnswerHead } from "./relay.ts";
import { rawIdAt } from "#meter/calls/arrival.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

export type Decide = (message: Line) => Effects | Promise<Effects>;

export type MessageVerdict = { readonly passes: true } | Withheld;

type Withheld = {
  readonly passes: false;
  /** The batch without the messages that do not pass; undefined where none is left. */
  readonly remaining: Uint8Array | undefined;
  readonly replies: readonly Uint8Array[];
  readonly isBatch: boolean;
  /** True where the client cancelled all requests that are answered. */
  readonly isLate: boolean;
};

/** U+FEFF in UTF-8. */
const [byteOrderMarkStart, byteOrderMarkBytes] = [0xef, 3];

export const passUnchanged: MessageVerdict = { passes: true };

export const withheldSilently: Withheld = {
  passes: false,
  remaining: undefined,
  replies: [],
  isBatch: false,
  isLate: false,
};

export function isWithheldSilently(verdict: MessageVerdict): boolean {
  return !verdict.passes && !verdict.remaining && verdict.replies.length === 0;
}

/**
 * Has each message decided, at the same time. Of a batch that is longer than batches may be, no message passes; where it is
 * `strict`, nothing passes that is not a message, or that has odd members: clients quote these in errors.
 */
export function judgeLine(
  line: Line,
  decide: Decide,
  isStrict: boolean = false,
): MessageVerdict | Promise<MessageVerdict> {
  // The meter parses it too, so it is parsed here only where that is needed.
  const message = isStrict || mayBeBatch(line) ? parseMessage(line) : undefined;
  if (message && isStrict && !isPlainAnswer(message, line)) return withheldSilently;
  if (message?.kind === "batch") return judgeBatch(line, message.left, decide);
  const effects = decide(line);
  return effects instanceof Promise ? effects.then(toVerdict) : toVerdict(effects);
}

function toVerdict({ passes, toClient, isLate }: Effects): MessageVerdict {
  return passes ? passUnchanged : { ...withheldSilently, replies: toClient, isLate };
}

function mayBeBatch({ bytes }: Line): boolean {
  if (!bytes) return false;
  let at = bytes[0] === byteOrderMarkStart ? byteOrderMarkBytes : 0;
  while (at < bytes.length && isJsonSpace(bytes[at] ?? 0)) at += 1;
  return bytes[at] === openBracket;
}

async function judgeBatch(line: Line, left: number, decide: Decide): Promise<MessageVerdict> {
  if (left > 0) return { ...withheldSilently, isBatch: true };
  const { bytes = new Uint8Array() } = line;
  const deciding: Promise<Effects>[] = [];
  let sinceMs = performance.now();
  for (const message of splitBatch(bytes)) {
    deciding.push(Promise.resolve(decide(message)));
    if (performance.now() - sinceMs < sliceMaxMs) continue;
    await nextTurn();
    sinceMs = performance.now();
  }
  const decided = await Promise.all(deciding);
  if (decided.every(({ passes }) => passes)) return passUnchanged;
  const isAnyLeft = decided.some(({ passes }) => passes);
  return {
    passes: false,
    remaining: isAnyLeft
      ? keepElements(bytes, (index) => decided[index]?.passes ?? false)
      : undefined,
    replies: decided.flatMap(({ toClient }) => toClient),
    isBatch: true,
    isLate: decided.every(({ isLate }) => isLate),
  };
}

function isPlainAnswer(message: Message, { bytes }: Line): boolean {
  const messages = message.kind === "batch" ? message.items : [message];
  if (messages.some(({ kind }) => kind === "opaque")) return false;
  return !bytes || messages.every(isAcceptedAnswer) || !hasUnknownMembers(bytes);
}

function isAcceptedAnswer(message: SingleMessage): boolean {
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.mayBeRejected !== true;
}

const frameMembers: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

function hasUnknownMembers(bytes: Uint8Array): boolean {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // With `NaN`, for one: clients that reject it quote no name.
    return false;
  }
  const names = [value]
    .flat()
    .flatMap((element) => (isObject(element) ? Object.keys(element) : []));
  return names.some((name) => !frameMembers.has(name));
}

function splitBatch(bytes: Uint8Array): readonly Line[] {
  return arrayElements(bytes).map(([start, end]) => {
    const message = bytes.subarray(start, end);
    return { bytes: message, size: message.length, skim: undefined };
  });
}

/** The message for the client in place of an answer: one message or a batch; undefined for nothing. */
export function makeReplacement(verdict: Withheld): Uint8Array | undefined {
  const { remaining, replies, isBatch } = verdict;
  if (!remaining && replies.length === 0) return undefined;
  return isBatch ? appendElements(remaining, replies) : replies[0];
}

const decoder = new TextDecoder();

/**
 * The body of an answer with a status of 400 or more, as clients read it: an error whose message is the text of the body. A
 * message that answers the request is itself. Undefined for a body that is too long to be read.
 */
export function readRejection(body: Line, request: Line, head: AnswerHead): Line | undefined {
  if (!body.bytes) return undefined;
  const message = parseMessage(body);
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.id !== undefined ? body : wrapRejection(body, request, head);
}

/** The same with all of the text, also where it is a message: most clients show it whole, with members that no other client reads. */
export function wrapRejection(body: Line, request: Line, head: AnswerHead): Line | undefined {
  if (!body.bytes) return undefined;
  const bytes = errorLine(rawIdAt({ line: request, item: undefined }), makeError(body.bytes, head));
  return { bytes, size: body.size, skim: undefined };
}

/** An error for each request of a batch, because a client shows the text for each. Undefined without a request, and where they would be too long. */
export function wrapBatchRejection(body: Line, request: Line, head: AnswerHead): Line | undefined {
  const message = parseMessage(request);
  if (!body.bytes || message.kind !== "batch") return undefined;
  const requests = message.items.flatMap(({ kind }, item) => (kind === "request" ? [item] : []));
  if (requests.length === 0 || requests.length * body.size > lineObservedBytesMax) return undefined;
  const error = makeError(body.bytes, head);
  const errors = requests.map((item) => errorLine(rawIdAt({ line: request, item }), error));
  const bytes = appendElements(undefined, errors);
  return { bytes, size: bytes.length, skim: undefined };
}

/** Some clients quote the challenge of a 403 instead of its text. */
function makeError(bytes: Uint8Array, { status, headers }: AnswerHead) {
  const challenge = status === 403 ? (headers.get("www-authenticate") ?? "") : "";
  return { code: status, message: challenge + decoder.decode(bytes) };
}
