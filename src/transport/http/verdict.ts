import type { Effects } from "#meter/session/decider.ts";
import { frameKeys, type Message, type SingleMessage, makeErrorLine } from "#wire/message.ts";
import { appendElements, findElements, keepElements } from "#wire/edit-line-bytes.ts";
import { isJsonSpace, openBracket } from "#kit/text/ascii.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";
import type { Line } from "#wire/line.ts";
import { isObject } from "#wire/json.ts";
import { tryParseJson } from "#kit/errors.ts";
import { parseMessage, skimIfTooComplex } from "#wire/parse-message.ts";
import { nextTurn, sliceMaxMs, type AnswerHead } from "./relay.ts";
import { readRawId } from "#meter/calls/call.ts";

export type Decide = (message: Line) => Effects | Promise<Effects>;

export type MessageVerdict = { readonly passes: true } | Withheld;

type Withheld = {
  readonly passes: false;
  readonly remaining: Uint8Array | undefined; // a batch of only those messages that pass; undefined if none passes
  readonly replies: readonly Uint8Array[];
  readonly isBatch: boolean;
  readonly isLate: boolean; // the client has cancelled every request that the message answers
};

// U+FEFF in UTF-8.
const [byteOrderMarkStart, byteOrderMarkBytes] = [0xef, 3];

export const passUnchanged: MessageVerdict = { passes: true };

export const nothingPasses: Withheld = {
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
 * If `isStrict`, also withholds lines that clients would quote in errors. Clients quote lines that are not messages.
 * They also quote names of unknown members, unless they accept the line as an answer.
 */
export function judgeLine(
  line: Line,
  decide: Decide,
  isStrict: boolean = false,
): MessageVerdict | Promise<MessageVerdict> {
  // The meter parses the line too, so parse here only if needed.
  const message = isStrict || mayBeBatch(line) ? parseMessage(line) : undefined;
  if (message && isStrict && isQuotedByClients(message, line)) return nothingPasses;
  if (message?.kind === "batch") return judgeBatch(line, message.omitted, decide);
  return judgeWhole(line, decide);
}

/** If a batch has too many elements, lets `decide` refuse the whole batch with one error. */
export function judgeRequest(line: Line, decide: Decide): MessageVerdict | Promise<MessageVerdict> {
  const message = mayBeBatch(line) ? parseMessage(line) : undefined;
  const isTooLong = message?.kind === "batch" && message.omitted > 0;
  return isTooLong ? judgeWhole(line, decide) : judgeLine(line, decide);
}

function judgeWhole(line: Line, decide: Decide): MessageVerdict | Promise<MessageVerdict> {
  const effects = decide(line);
  return effects instanceof Promise ? effects.then(toVerdict) : toVerdict(effects);
}

function toVerdict({ passes, toClient, isLate }: Effects): MessageVerdict {
  return passes ? passUnchanged : { ...nothingPasses, replies: toClient, isLate };
}

function mayBeBatch({ bytes }: Line): boolean {
  if (!bytes) return false;
  let at = bytes[0] === byteOrderMarkStart ? byteOrderMarkBytes : 0;
  while (at < bytes.length && isJsonSpace(bytes[at] ?? 0)) at += 1;
  return bytes[at] === openBracket;
}

async function judgeBatch(line: Line, omitted: number, decide: Decide): Promise<MessageVerdict> {
  if (omitted > 0) return { ...nothingPasses, isBatch: true };
  const { bytes = new Uint8Array() } = line;
  const pendingEffects: Promise<Effects>[] = [];
  let sinceMs = performance.now();
  for (const message of splitBatch(bytes)) {
    pendingEffects.push(Promise.resolve(decide(message)));
    if (performance.now() - sinceMs < sliceMaxMs) continue;
    await nextTurn();
    sinceMs = performance.now();
  }
  const effects = await Promise.all(pendingEffects);
  if (effects.every(({ passes }) => passes)) return passUnchanged;
  const doesAnyPass = effects.some(({ passes }) => passes);
  return {
    passes: false,
    remaining: doesAnyPass
      ? keepElements(bytes, (index) => effects[index]?.passes ?? false)
      : undefined,
    replies: effects.flatMap(({ toClient }) => toClient),
    isBatch: true,
    isLate: effects.every(({ isLate }) => isLate),
  };
}

function isQuotedByClients(message: Message, { bytes }: Line): boolean {
  const messages = message.kind === "batch" ? message.items : [message];
  if (messages.some(({ kind }) => kind === "opaque")) return true;
  return bytes !== undefined && !messages.every(isAcceptedAnswer) && hasUnknownMembers(bytes);
}

function isAcceptedAnswer(message: SingleMessage): boolean {
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.mayBeRejected !== true;
}

// False for invalid JSON such as `NaN`: a client that cannot parse it quotes no member name.
function hasUnknownMembers(bytes: Uint8Array): boolean {
  const skim = skimIfTooComplex(bytes);
  const names = skim ? skim.members.map(({ key }) => key) : listMemberNames(bytes);
  return names?.some((name) => !frameKeys.has(name)) ?? false;
}

export function listMemberNames(bytes: Uint8Array): readonly string[] | undefined {
  const value = tryParseJson(decoder.decode(bytes));
  if (value === undefined) return undefined;
  return [value].flat().flatMap((element) => (isObject(element) ? Object.keys(element) : []));
}

function splitBatch(bytes: Uint8Array): readonly Line[] {
  return findElements(bytes).map(([start, end]) => {
    const message = bytes.subarray(start, end);
    return { bytes: message, size: message.length, skim: undefined };
  });
}

export function makeReplacement(verdict: Withheld): Uint8Array | undefined {
  const { remaining, replies, isBatch } = verdict;
  if (!remaining && replies.length === 0) return undefined;
  return isBatch ? appendElements(remaining, replies) : replies[0];
}

const decoder = new TextDecoder();

/** Returns the body unchanged if it is an answer with an `id`. Any other text becomes an error's message. */
export function readRejection(body: Line, request: Line, head: AnswerHead): Line | undefined {
  if (!body.bytes) return undefined;
  const message = parseMessage(body);
  const isAnswer = message.kind === "result" || message.kind === "error";
  return isAnswer && message.id !== undefined ? body : wrapRejection(body, request, head);
}

// Most clients show the whole body of a rejection, even if the body is a JSON-RPC message.
export function wrapRejection(body: Line, request: Line, head: AnswerHead): Line | undefined {
  if (!body.bytes) return undefined;
  const id = readRawId({ line: request, item: undefined });
  return {
    bytes: makeErrorLine(id, makeError(body.bytes, head)),
    size: body.size,
    skim: undefined,
  };
}

export function wrapBatchRejection(body: Line, request: Line, head: AnswerHead): Line | undefined {
  const message = parseMessage(request);
  if (!body.bytes || message.kind !== "batch") return undefined;
  const indices = message.items.flatMap(({ kind }, item) => (kind === "request" ? [item] : []));
  if (indices.length === 0 || indices.length * body.size > lineObservedBytesMax) return undefined;
  const error = makeError(body.bytes, head);
  const errors = indices.map((item) => makeErrorLine(readRawId({ line: request, item }), error));
  const bytes = appendElements(undefined, errors);
  // `size` counts the body once for each request, because the client shows it for each.
  return { bytes, size: bytes.length, skim: undefined };
}

// Some clients quote the WWW-Authenticate header of a 403 instead of its text, so the error has both.
function makeError(bytes: Uint8Array, { status, headers }: AnswerHead) {
  const challenge = status === 403 ? (headers.get("www-authenticate") ?? "") : "";
  return { code: status, message: challenge + decoder.decode(bytes) };
}
