import { type Skim, skimBytes, findMember, readSkimmedText } from "./skimmer.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import {
  resolveAmbiguity,
  findRepeats,
  isPlainCall,
  lenientMessageName,
  mayHoldMessage,
  noRepeats,
  type RepeatedNames,
} from "./ambiguity.ts";
import { openBrace, openBracket } from "#kit/text/ascii.ts";
import { type Line, lineTrustedBytesMax } from "./line.ts";
import type { Message, OpaqueMessage, OpaqueReason, SingleMessage, Id, Side } from "./message.ts";
import {
  hasUnusualNumbers,
  nonFiniteMark,
  parseWithNotes,
  replaceNonFinite,
} from "./written-json.ts";
import { isObject, type JsonObject, readMember, readString, nestingMax } from "./json.ts";
import { tryParseJson } from "#kit/errors.ts";

// Structures are commas and opening brackets. Without a limit, JSON.parse takes 0.7 s for 2.6 million empty arrays.
export const structuresMax = 200_000;

export const batchItemsMax = 10_000;

const decoder = new TextDecoder();

export type ParseOptions = {
  // If true, keeps the spelling of each unusual number, so that its tokens can be counted. If a client may write the
  // number with a longer spelling, keeps that one instead.
  readonly keepsNumberSpellings?: boolean;
  // The sender, if its messages may be refused.
  readonly guarded?: Side | undefined;
  readonly parseShortText?: ParseShort | undefined;
};

type Parsed = { readonly value: unknown };

// Like JSON.parse, but returns undefined for invalid JSON, which saves the cost of an error.
export type ParseShort = (text: string) => Parsed | undefined;

/** Never throws: a line that is not a message is `opaque`. */
export function parseMessage(line: Line, options: ParseOptions = {}): Message {
  const { bytes, group, skim } = line;
  const { guarded } = options;
  if (guarded && isNotUtf8(line)) return makeOpaque("not-utf-8");
  if (group) return makeGroupMessage(group.nonBlank);
  return bytes ? parseBytes(bytes, skim, options) : toSkimmedMessage(skim, guarded);
}

function parseBytes(bytes: Uint8Array, known: Skim | undefined, options: ParseOptions): Message {
  const { guarded } = options;
  const skim = skimIfSuspect(bytes, known);
  if (skim && isTooComplex(skim)) return toSkimmedMessage(skim, guarded);
  const text = decoder.decode(bytes);
  const foreign = classifyForeignText(text, guarded !== undefined);
  if (foreign) return foreign;
  const parsed = parseLeniently(text, options);
  if (!parsed) return makePossibleMessage("not-json");
  const { value } = parsed;
  const repeats = guarded ? findRepeats(text, value) : noRepeats;
  if (Array.isArray(value)) return toBatch(value, guarded, repeats);
  const frame = readParsedFrame(value, () => skim ?? skimBytes(bytes));
  const isStrict = parsed.isStrict && bytes[0] !== byteOrderMarkStart;
  const message = toMessage(frame, isStrict && frame?.isAcceptedEverywhere === true);
  return guarded ? resolveAmbiguity(message, value, guarded, repeats) : message;
}

// JSON in UTF-16 and UTF-32 contains NUL bytes; in UTF-8 it has none.
function isNotUtf8({ bytes, skim }: Line): boolean {
  return bytes ? bytes.includes(0) : skim?.hasZeroBytes === true;
}

function makeGroupMessage(nonBlank: number): SingleMessage {
  return nonBlank === 0 ? makeOpaque("blank") : { ...makeOpaque("not-json"), lines: nonBlank };
}

// True if an object or a list of objects begins here but does not end. For grouped lines, true if they contain `{`.
export function isUnfinishedMessage({ bytes, skim: known, group }: Line): boolean {
  if (group) return bytes?.includes(openBrace) === true;
  const skim = known ?? (bytes && skimBytes(bytes));
  if (!skim || skim.isClosed) return false;
  return skim.shape === "object" || (skim.shape === "array" && skim.depth > 1);
}

export function skimIfTooComplex(bytes: Uint8Array): Skim | undefined {
  const skim = skimIfSuspect(bytes, undefined);
  return skim && isTooComplex(skim) ? skim : undefined;
}

function isTooComplex({ depth, structures }: Skim): boolean {
  return depth > nestingMax || structures > structuresMax;
}

// Avoids parsing lines that cannot be messages: a failed parse is slow, and servers print millions.
function classifyForeignText(text: string, isGuarded: boolean): SingleMessage | undefined {
  const first = text[text.search(visibleCharacter)];
  if (first === undefined) return makeOpaque("blank");
  if (first !== "{" && first !== "[") {
    return isGuarded && mayHoldMessage(text)
      ? makePossibleMessage("not-json")
      : makeOpaque("not-json");
  }
  const isCandidate = mayBeMessage.test(text) && !isShortWithoutVersion(text);
  return isCandidate || (isGuarded && lenientMessageName.test(text))
    ? undefined
    : makeOpaque("not-rpc");
}

// First byte of U+FEFF in UTF-8. Our decoder drops this character, but a client's parser may reject it.
const byteOrderMarkStart = 0xef;

// Also accepts `NaN` and `Infinity`; the result is then not strict.
function parseLeniently(
  text: string,
  { keepsNumberSpellings = false, parseShortText }: ParseOptions,
): { value: unknown; isStrict: boolean } | undefined {
  const parsed = parseJson(text, keepsNumberSpellings && hasUnusualNumbers(text), parseShortText);
  if (parsed) return { value: parsed.value, isStrict: true };
  const replaced = replaceNonFinite(text, keepsNumberSpellings ? nonFiniteMark : "null");
  if (replaced === undefined) return undefined;
  const lenient = parseJson(replaced, keepsNumberSpellings, parseShortText);
  return lenient && { value: lenient.value, isStrict: false };
}

// For an invalid line up to this length, nearly all time goes into the error that JSON.parse throws.
const shortTextCharactersMax = 128;

function parseJson(
  text: string,
  keepsNumberSpellings: boolean,
  parseShortText: ParseOptions["parseShortText"],
): Parsed | undefined {
  if (parseShortText && text.length <= shortTextCharactersMax) {
    const parsed = parseShortText(text);
    if (!parsed || !keepsNumberSpellings) return parsed;
  }
  try {
    return { value: keepsNumberSpellings ? parseWithNotes(text) : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

// Clients strip more white space than JSON allows.
const visibleCharacter = /[^\s\0-\x20\x85]/;

// Every message has a member `method`, `result` or `error`. The letters of its name may be escaped.
const mayBeMessage = /"(?:method|result|error)"|\\u/;

// A text below this length is parsed only if it has a version or `guarded` is set.
const unversionedCharactersMin = 64;

// Every message has a version: a `jsonrpc` member, possibly with escaped letters.
function isShortWithoutVersion(text: string): boolean {
  if (text.length >= unversionedCharactersMin) return false;
  return !text.includes('"jsonrpc"') && !text.includes("\\u");
}

function toSkimmedMessage(skim: Skim | undefined, guarded: Side | undefined): SingleMessage {
  const message = toMessage(skim && readSkimmedFrame(skim), false);
  if (!skim) return message;
  if (guarded && isMisread(message, skim, guarded)) {
    const mayBeRequest = message.kind === "request" && skim.ambiguity !== "id";
    return { ...makePossibleMessage("ambiguous"), ...(mayBeRequest && { expectsAnswer: true }) };
  }
  const mayBeRead = guarded !== undefined || looksLikeMessage(skim);
  return message.kind === "opaque" && mayBeRead ? makePossibleMessage("not-rpc") : message;
}

// True if two parsers may read different messages from the line. In a server's answer, only the id matters: we never
// parse the content of a skimmed answer.
function isMisread(message: SingleMessage, skim: Skim, sender: Side): boolean {
  const isAnswer = message.kind === "result" || message.kind === "error";
  if (sender === "server" && isAnswer) return skim.ambiguity === "id";
  if (skim.ambiguity !== undefined) return true;
  const hasMethod = message.kind === "request" || message.kind === "notification";
  if (sender === "server" || !hasMethod) return false;
  return !isPlainCall(message.method, readSkimmedText(skim, "name"));
}

function looksLikeMessage(skim: Skim): boolean {
  return skim.shape === "array" || findMember(skim, "jsonrpc") !== undefined;
}

function skimIfSuspect(bytes: Uint8Array, known: Skim | undefined): Skim | undefined {
  return isSuspect(bytes) ? (known ?? skimBytes(bytes)) : undefined;
}

function isSuspect(bytes: Uint8Array): boolean {
  if (bytes.length <= 2 * nestingMax) return false;
  if (bytes.length > lineTrustedBytesMax) return true;
  return hasMany(openBracket, bytes) || hasMany(openBrace, bytes);
}

function hasMany(bracket: number, bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = bytes.indexOf(bracket); at >= 0; at = bytes.indexOf(bracket, at + 1)) {
    count += 1;
    if (count > nestingMax / 2) return true;
  }
  return false;
}

function toBatch(
  values: readonly unknown[],
  guarded: Side | undefined,
  { depth, includesId }: RepeatedNames,
): Message {
  const repeats = { depth: depth - 1, includesId };
  // In a batch, the text of ids beyond 2^53 is not kept: batches are rare, because only revision 2025-03-26 has them.
  const items = values.slice(0, batchItemsMax).map((value) => {
    const message = toMessage(readParsedFrame(value), false);
    return guarded ? resolveAmbiguity(message, value, guarded, repeats) : message;
  });
  const omitted = values.length - items.length;
  const hasMessage = items.some((item) => item.kind !== "opaque" || item.mayHoldMessage === true);
  return hasMessage || omitted > 0 ? { kind: "batch", items, omitted } : makeOpaque("not-rpc");
}

function toMessage(frame: Frame | undefined, isAccepted: boolean): SingleMessage {
  if (!frame) return makeOpaque("not-rpc");
  const { id, params, truncated } = frame;
  const isAnswer = frame.hasResult || frame.hasError;
  if (frame.version !== "2.0" || frame.isIdInvalid) {
    // Programs also print JSON that is not JSON-RPC. If it has an id and a result, it may be taken for an answer.
    return isAnswer && frame.hasId ? makePossibleMessage("not-rpc") : makeOpaque("not-rpc");
  }
  if (typeof frame.method === "string") {
    if (isAnswer) return makePossibleMessage("not-rpc");
    const method = frame.method.slice(0, nameCharactersMax);
    return id
      ? { kind: "request", id, method, params, truncated }
      : { kind: "notification", method, params, truncated };
  }
  return isAnswer ? toAnswer(frame, isAccepted) : makeOpaque("not-rpc");
}

function toAnswer(frame: Frame, isAccepted: boolean): SingleMessage {
  const { id, truncated, result, hasError } = frame;
  if (frame.hasResult && id && isAccepted) return { kind: "result", id, result, truncated };
  const doubt = isAccepted ? {} : { mayBeRejected: true as const };
  if (frame.hasResult && id) {
    const withError = hasError ? { error: frame.error ?? {} } : {};
    return { kind: "result", id, result, ...withError, truncated, ...doubt };
  }
  if (!hasError) return frame.hasId ? makePossibleMessage("not-rpc") : makeOpaque("not-rpc");
  return { kind: "error", id, error: frame.error, truncated, ...doubt };
}

function makeOpaque(reason: OpaqueReason): OpaqueMessage {
  return { kind: "opaque", reason };
}

function makePossibleMessage(reason: OpaqueReason): OpaqueMessage {
  return { kind: "opaque", reason, mayHoldMessage: true };
}

export type Frame = {
  readonly version: unknown;
  readonly id: Id | undefined;
  readonly hasId: boolean;
  readonly isIdInvalid: boolean;
  readonly method: unknown;
  readonly params: unknown;
  readonly hasResult: boolean;
  readonly result: unknown;
  readonly hasError: boolean;
  readonly error: unknown;
  readonly truncated: boolean;
  readonly isAcceptedEverywhere: boolean; // no SDK client rejects an answer of this form
};

// `skim` provides the text of an id that is not a safe integer.
export function readParsedFrame(value: unknown, skim?: () => Skim): Frame | undefined {
  if (!isObject(value)) return undefined;
  const { id: rawId } = value;
  const id = parseId(rawId, skim);
  return {
    version: value["jsonrpc"],
    id,
    hasId: "id" in value,
    isIdInvalid: id === undefined && rawId !== undefined && rawId !== null,
    method: value["method"],
    params: value["params"],
    hasResult: "result" in value,
    result: value["result"],
    hasError: "error" in value,
    error: value["error"],
    truncated: false,
    isAcceptedEverywhere: isAcceptedEverywhere(value),
  };
}

export function readSkimmedFrame(skim: Skim): Frame | undefined {
  if (skim.shape !== "object" || !skim.isClosed) return undefined;
  const parse = (key: string): unknown => tryParseJson(findMember(skim, key)?.text);
  const rawId = findMember(skim, "id");
  const id = parseId(parse("id"), () => skim);
  return {
    version: parse("jsonrpc"),
    id,
    hasId: rawId !== undefined,
    isIdInvalid: id === undefined && rawId !== undefined && rawId.text !== "null",
    method: parse("method"),
    params: readSkimmedParams(skim),
    hasResult: findMember(skim, "result") !== undefined,
    result: undefined,
    hasError: findMember(skim, "error") !== undefined,
    error: undefined,
    truncated: true,
    isAcceptedEverywhere: false,
  };
}

function readSkimmedParams(skim: Skim): unknown {
  const taskId = readSkimmedText(skim, "taskId");
  const requestState = readSkimmedText(skim, "requestState");
  if (taskId === undefined && requestState === undefined) return undefined;
  return { taskId, requestState };
}

function parseId(rawId: unknown, skim: (() => Skim) | undefined): Id | undefined {
  if (typeof rawId === "string") return { value: rawId };
  if (typeof rawId !== "number") return undefined;
  if (Number.isSafeInteger(rawId) || !skim) return { value: rawId };
  const raw = findMember(skim(), "id")?.text;
  return raw === undefined ? { value: rawId } : { value: rawId, raw };
}

// Names of the `_meta` members that SDKs validate. An SDK rejects an answer if such a member is invalid.
const checkedMetaKey = /^(?:progressToken$|io\.modelcontextprotocol\/)/;

/** True if the answer certainly fits the strict `JSONRPCMessageSchema` of the SDK's client, versions 1.32 and 2.4. */
export function isAcceptedEverywhere(message: JsonObject): boolean {
  const { id, result, error } = message;
  if (Object.keys(message).length !== 3 || !isAcceptedId(id)) return false;
  return "result" in message ? isAcceptedResult(result) : isAcceptedError(error);
}

function isAcceptedId(id: unknown): boolean {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isAcceptedResult(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { _meta: meta } = result;
  if (meta === undefined) return true;
  return isObject(meta) && !Object.keys(meta).some((key) => checkedMetaKey.test(key));
}

function isAcceptedError(error: unknown): boolean {
  return (
    Number.isSafeInteger(readMember(error, "code")) && readString(error, "message") !== undefined
  );
}

const answerMembers = ["content", "contents", "messages", "structuredContent", "toolResult"];

// True if the result has content, even if it also asks for input or creates a task.
export function hasAnswer(result: unknown): boolean {
  return answerMembers.some((name) => {
    const value = readMember(result, name);
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
}
