import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  openBrace,
  openBracket,
  doubleQuote,
  space,
} from "#kit/text/ascii.ts";
import { isObject, type JsonObject } from "./json.ts";
import { type Id, type SingleMessage, type Side, frameKeys, subjectKeys } from "./message.ts";
import { findQuote, findStringEnd } from "./written-json.ts";

// Readers of JSON disagree about case, snake case, repeated names, U+0000 and invalid UTF-8. Where a limit is
// enforced, a text must be the same message for all of them.

const cachedTextsMax = 1_000;
const cachedCharactersMax = 64;

// As in Go, U+017F counts as S, and U+212A as K. Lower case alone would keep U+017F.
const foldName = memoize((name) =>
  name
    .replaceAll(/[_\uFFFD]|\0.*/gs, "")
    .toUpperCase()
    .toLowerCase(),
);

function memoize(make: (text: string) => string): (text: string) => string {
  const cache = new Map<string, string>();
  return (text) => {
    if (text.length > cachedCharactersMax) return make(text);
    let cached = cache.get(text);
    if (cached === undefined) {
      if (cache.size >= cachedTextsMax) cache.clear();
      cached = make(text);
      cache.set(text, cached);
    }
    return cached;
  };
}

// The names that readers look for in an object, and the forms that lenient readers accept.
type Names = { readonly exact: ReadonlySet<string>; readonly folded: ReadonlySet<string> };

const frameNames = makeNames(frameKeys);
const subjectNames = makeNames(subjectKeys);
const paramsNames = makeNames([...subjectKeys, "arguments", "uri", "task", "inputResponses"]);
const taskNames = makeNames(["taskId", "status", "result", "error"]);
const resultNames = makeNames([
  "content",
  "structuredContent",
  "isError",
  "contents",
  "messages",
  "toolResult",
  "resultType",
  "inputRequests",
  "requestState",
  "task",
  "tools",
  ...taskNames.exact,
]);
const errorNames = makeNames(["code", "message", "data"]);

function makeNames(names: Iterable<string>): Names {
  const exact = new Set(names);
  return { exact, folded: new Set([...exact].map(foldName)) };
}

function isVariant(key: string, names: Names): boolean {
  return !names.exact.has(key) && names.folded.has(foldName(key));
}

function hasVariant(value: unknown, names: Names): boolean {
  if (!isObject(value)) return false;
  for (const key in value) if (isVariant(key, names)) return true;
  return false;
}

// If only lenient readers take `key` for a known name, returns that name, folded.
export function findLenientName(key: string, isInParams: boolean): string | undefined {
  return isVariant(key, isInParams ? subjectNames : frameNames) ? foldName(key) : undefined;
}

export type RepeatedNames = {
  readonly depth: number; // of the outermost object with a repeated name: 1 for the message itself
  readonly includesId: boolean; // if a message's own id is repeated
};

export const noRepeats: RepeatedNames = { depth: Infinity, includesId: false };

// A message that readers may understand differently becomes opaque. A server's answer with a clear id loses only its
// content.
export function resolveAmbiguity(
  message: SingleMessage,
  value: unknown,
  sender: Side,
  repeats: RepeatedNames,
): SingleMessage {
  if (!isObject(value)) return message;
  const isFrameUnclear = repeats.depth <= 1 || hasVariant(value, frameNames);
  if (isFrameUnclear) return makeAmbiguous(value, sender, repeats);
  if (message.kind === "opaque") {
    const expectsAnswer = sender === "client" && mayBeRequest(value);
    return expectsAnswer ? { ...message, expectsAnswer } : message;
  }
  if (isPlain[sender][message.kind](value, repeats)) return message;
  const isAnswer = sender === "server" && (message.kind === "result" || message.kind === "error");
  return isAnswer
    ? makeAnswerWithoutContent(message.id, value)
    : makeAmbiguous(value, sender, repeats);
}

type Kind = Exclude<SingleMessage["kind"], "opaque">;
type IsPlain = (value: JsonObject, repeats: RepeatedNames) => boolean;

// True if all readers agree on the members that limits depend on.
const isPlain: Readonly<Record<Side, Readonly<Record<Kind, IsPlain>>>> = {
  client: {
    request: isPlainRequest,
    notification: isPlainRequest,
    // Some libraries write the absent member as null.
    result: (value) => !("method" in value) && (value["error"] ?? null) === null,
    error: (value) => !("method" in value) && (value["result"] ?? null) === null,
  },
  server: {
    request: isPlainServerMessage,
    notification: isPlainServerMessage,
    result: isPlainAnswer,
    error: isPlainAnswer,
  },
};

function makeAmbiguous(
  value: JsonObject,
  sender: Side,
  { includesId }: RepeatedNames,
): SingleMessage {
  const opaque = { kind: "opaque", reason: "ambiguous", mayHoldMessage: true } as const;
  const { id } = value;
  if (includesId || !isId(id) || !hasOneId(value)) return opaque;
  if (sender === "client") return mayBeRequest(value) ? { ...opaque, expectsAnswer: true } : opaque;
  const isAnswer = typeof value["method"] !== "string" && ("result" in value || "error" in value);
  return isAnswer ? makeAnswerWithoutContent({ value: id }, value) : opaque;
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

function hasOneId(value: JsonObject): boolean {
  return Object.keys(value).filter((name) => foldName(name) === "id").length === 1;
}

function mayBeRequest(value: JsonObject): boolean {
  return isId(value["id"]) && Object.keys(value).some((name) => foldName(name) === "method");
}

function isPlainRequest({ method, params }: JsonObject, { depth }: RepeatedNames): boolean {
  if (depth <= 2 || hasVariant(params, paramsNames)) return false;
  if (isObject(params)) return isPlainCall(method, params["name"]);
  return isPlainCall(method, undefined) && (params ?? undefined) === undefined;
}

// True if all servers read the same method and tool name: some ignore case and spaces, or stop at U+0000.
export function isPlainCall(method: unknown, name: unknown): boolean {
  if (!isPlainText(method)) return false;
  const isVaried = !callMethods.has(method) && callMethodLetters.has(extractLetters(method));
  return !isVaried && (method !== "tools/call" || isPlainText(name));
}

const callMethods: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get"]);

const extractLetters = memoize((method) => method.toLowerCase().replaceAll(/[^a-z]/g, ""));

const callMethodLetters: ReadonlySet<string> = new Set([...callMethods].map(extractLetters));

// A server's requests and notifications are not limited, except task updates and pushed texts.
const limitedMethods = /^notifications\/(?:tasks|claude\/channel)/;

function isPlainServerMessage({ method, params }: JsonObject, { depth }: RepeatedNames): boolean {
  if (!limitedMethods.test(String(method))) return true;
  return depth === Infinity && !hasVariant(params, taskNames);
}

// Some readers cut a text off at U+0000, and U+FFFD stands for bytes that decoders treat differently.
function isPlainText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && !value.includes("\uFFFD");
}

function isPlainAnswer({ result, error }: JsonObject, { depth }: RepeatedNames): boolean {
  if (depth < Infinity || hasVariant(result, resultNames)) return false;
  const inner = isObject(result) ? result["result"] : undefined;
  return !hasVariant(inner, resultNames) && !hasVariant(error, errorNames);
}

// Drops the content, because readers disagree about it. The answer is then charged by its length.
function makeAnswerWithoutContent(id: Id | undefined, value: JsonObject): SingleMessage {
  const doubt = { truncated: true, mayBeRejected: true } as const;
  if (!id || !("result" in value)) return { kind: "error", id, error: undefined, ...doubt };
  const withError = "error" in value ? { error: {} } : {};
  return { kind: "result", id, result: undefined, ...withError, ...doubt };
}

export function findRepeats(text: string, value: unknown): RepeatedNames {
  // Most texts look like the output of JSON.stringify, which repeats no name.
  if (isCompact(text, value)) return noRepeats;
  return mayBeSeveralMessages(text) ? { depth: 1, includesId: true } : scanRepeats(text);
}

// Python and Node also end a line at CR. Simple clients parse each line of an SSE event's data as a message.
function mayBeSeveralMessages(text: string): boolean {
  const [first = "", ...following] = text.trim().split("\n");
  if (following.length === 0) return first.includes("\r");
  return following.some((line) => wholeJson.test(line) && lenientMessageName.test(line));
}

const wholeJson = /^\s*[{[].*[}\]]\s*$/;

// Every message has one of these names, perhaps in upper case, escaped, or with invalid bytes.
export const lenientMessageName = /"_?(?:method|result|error)_?"|\\u|\uFFFD/iu;

const mayHaveId = /"_?(?:id|jsonrpc)_?"|\\u|\uFFFD/iu;

// Some readers skip text before the JSON, or read the JSON as a separate line.
export function mayHoldMessage(text: string): boolean {
  const begin = text.search(/[{[]/);
  const json = begin < 0 ? "" : text.slice(begin);
  return lenientMessageName.test(json) && mayHaveId.test(json);
}

const lineEndCharactersMax = 2;

function isCompact(text: string, value: unknown): boolean {
  const json = JSON.stringify(value);
  return text.length - json.length <= lineEndCharactersMax && text.startsWith(json);
}

function scanRepeats(text: string): RepeatedNames {
  const open: (Set<string> | undefined)[] = []; // names of each open object; undefined for a list
  let { depth, includesId } = noRepeats;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openBrace) open.push(new Set());
    else if (code === openBracket) open.push(undefined);
    else if (code === closeBrace || code === closeBracket) open.pop();
    if (code !== doubleQuote) continue;
    const end = skipString(text, at);
    const names = isFollowedByColon(text, end) ? open.at(-1) : undefined;
    const repeated = names && findRepeat(names, text.slice(at + 1, end - 1));
    if (repeated !== undefined) depth = Math.min(depth, open.length);
    includesId ||= repeated === "id" && names === open.find(Boolean);
    at = end - 1;
  }
  return { depth, includesId };
}

// Returns the name, decoded, if it is repeated or was written with needless escapes.
function findRepeat(names: Set<string>, written: string): string | undefined {
  const name = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written;
  const isRepeatedOrEscaped = names.has(name) || (name !== written && /^\w+$/.test(name));
  names.add(name);
  return isRepeatedOrEscaped ? name : undefined;
}

function skipString(text: string, from: number): number {
  const end = findQuote(text, from + 1);
  return text.charCodeAt(end - 1) === backslash ? findStringEnd(text, from) : end + 1;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}
