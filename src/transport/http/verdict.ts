import type { Effects } from "#meter/session/event.ts";
import { appendElements, arrayElements, keepElements } from "#wire/elements.ts";
import { isJsonSpace, openBracket } from "#kit/text/ascii.ts";
import type { Line } from "#wire/line.ts";
import { isObject } from "#wire/json.ts";
import { type Message, type SingleMessage, errorLine } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { nextTurn, sliceMaxMs, type AnswerHead } from "./relay.ts";
import { rawIdAt } from "#meter/calls/call.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

export type Decide = (message: Line) => Effects | Promise<Effects>;

export type MessageVerdict = { readonly passes: true } | Withheld;

type Withheld = {
  readonly passes: false;
  /** The batch without the messages that do not pass; undefined where none is left. */
  readonly rest: Uint8Array | undefined;
  readonly ours: readonly Uint8Array[];
  readonly isBatch: boolean;
  /** True where the client cancelled all requests that are answered. */
  readonly isLate: boolean;
};

/** U+FEFF in UTF-8. */
const [byteOrderMarkStart, byteOrderMarkBytes] = [0xef, 3];

export const asItIs: MessageVerdict = { passes: true };

export const nothing: Withheld = {
  passes: false,
  rest: undefined,
  ours: [],
  isBatch: false,
  isLate: false,
};

export function isNothing(verdict: MessageVerdict): boolean {
  return !verdict.passes && !verdict.rest && verdict.ours.length === 0;
}

/**
 * Has each message decided, at the same time. Of a batch that is longer than batches may be, no message passes; where it is
 * `strict`, nothing passes that is not a message, or that has odd members: clients quote these in errors.
 */
export function judge(
  line: Line,
  decide: Decide,
  isStrict: boolean = false,
): MessageVerdict | Promise<MessageVerdict> {
  // The meter parses it too, so it is parsed here only where that is needed.
  const message = isStrict || mayBeBatch(line) ? parseMessage(line) : undefined;
  if (message && isStrict && !isOrdinary(message, line)) return nothing;
  if (message?.kind === "batch") return judgeBatch(line, message.left, decide);
  const fate = decide(line);
  return fate instanceof Promise ? fate.then(verdictOn) : verdictOn(fate);
}

function verdictOn({ passes, toClient, isLate }: Effects): MessageVerdict {
  return passes ? asItIs : { ...nothing, ours: toClient, isLate };
}

function mayBeBatch({ bytes }: Line): boolean {
  if (!bytes) return false;
  let at = bytes[0] === byteOrderMarkStart ? byteOrderMarkBytes : 0;
  while (at < bytes.length && isJsonSpace(bytes[at] ?? 0)) at += 1;
  return bytes[at] === openBracket;
}

async function judgeBatch(line: Line, left: number, decide: Decide): Promise<MessageVerdict> {
  if (left > 0) return { ...nothing, isBatch: true };
  const { bytes = new Uint8Array() } = line;
  const deciding: Promise<Effects>[] = [];
  let sinceMs = performance.now();
  for (const one of messagesIn(bytes)) {
    deciding.push(Promise.resolve(decide(one)));
    if (performance.now() - sinceMs < sliceMaxMs) continue;
    await nextTurn();
    sinceMs = performance.now();
  }
  const fates = await Promise.all(deciding);
  if (fates.every(({ passes }) => passes)) return asItIs;
  const isAnyLeft = fates.some(({ passes }) => passes);
  return {
    passes: false,
    rest: isAnyLeft ? keepElements(bytes, (index) => fates[index]?.passes ?? false) : undefined,
    ours: fates.flatMap(({ toClient }) => toClient),
    isBatch: true,
    isLate: fates.every(({ isLate }) => isLate),
  };
}

function isOrdinary(message: Message, { bytes }: Line): boolean {
  const all = message.kind === "batch" ? message.items : [message];
  if (all.some(({ kind }) => kind === "opaque")) return false;
  return !bytes || all.every(isAcceptedAnswer) || !hasOddNames(bytes);
}

function isAcceptedAnswer(message: SingleMessage): boolean {
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.mayBeRejected !== true;
}

const members: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);

function hasOddNames(bytes: Uint8Array): boolean {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // With `NaN`, for one: clients that reject it quote no name.
    return false;
  }
  const names = [value].flat().flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  return names.some((name) => !members.has(name));
}

function messagesIn(bytes: Uint8Array): readonly Line[] {
  return arrayElements(bytes).map(([start, end]) => {
    const message = bytes.subarray(start, end);
    return { bytes: message, size: message.length, skim: undefined };
  });
}

/** The message for the client in place of an answer: one message or a batch; undefined for nothing. */
export function insteadOf(verdict: Withheld): Uint8Array | undefined {
  const { rest, ours, isBatch } = verdict;
  if (!rest && ours.length === 0) return undefined;
  return isBatch ? appendElements(rest, ours) : ours[0];
}

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
