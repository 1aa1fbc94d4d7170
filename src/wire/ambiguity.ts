import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  openBrace,
  openBracket,
  quote,
  space,
} from "#kit/text/ascii.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Id, SingleMessage, Side } from "./message.ts";
import { frameKeys, subjectKeys } from "./skim.ts";
import { findQuote, findStringEnd } from "./written-json.ts";

// Readers of JSON differ: Go and C# ignore the case of names, Pydantic takes snake case as well, some keep the first of two members with
// one name, C stops at U+0000, and decoders may drop bytes that are not UTF-8. Where a limit is enforced, a text must be the same
// message for all of them.

const cachedTextsMax = 1_000;
const cachedCharactersMax = 64;

/** U+017F and U+212A become s and k, as Go folds them. */
const fold = memoize((name) =>
  name
    .replaceAll(/[_\uFFFD]|\0.*/gs, "")
    .toUpperCase()
    .toLowerCase(),
);

/** The same few names and methods come in every line. */
function memoize(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>();
  return (text) => {
    if (text.length > cachedCharactersMax) return make(text);
    let cached = made.get(text);
    if (cached === undefined) {
      if (made.size >= cachedTextsMax) made.clear();
      cached = make(text);
      made.set(text, cached);
    }
    return cached;
  };
}

/** The names that readers look for in one object, and the forms that a lenient reader takes for them. */
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
  return { exact, folded: new Set([...exact].map(fold)) };
}

function isVariant(key: string, names: Names): boolean {
  return !names.exact.has(key) && names.folded.has(fold(key));
}

function hasVariant(value: unknown, names: Names): boolean {
  if (!isObject(value)) return false;
  for (const key in value) if (isVariant(key, names)) return true;
  return false;
}

/** The name of the frame, or of a subject in `params`, that only a lenient reader takes this name for; undefined for another one. */
export function foldVariant(key: string, isInParams: boolean): string | undefined {
  return isVariant(key, isInParams ? subjectNames : frameNames) ? fold(key) : undefined;
}

/** True for bytes that are not UTF-8: JSON in UTF-16 and UTF-32 has zeros, in UTF-8 it has none. */
export function hasZeroBytes(bytes: Uint8Array): boolean {
  return bytes.includes(0);
}

export type RepeatedNames = {
  /** Depth of the outermost object with such a name: 1 for the text itself, infinite without one. */
  readonly depth: number;
  readonly includesId: boolean;
};

export const noRepeats: RepeatedNames = { depth: Infinity, includesId: false };

/** A request that some may take for another one is opaque; an answer with one id for all of them has no content that could be priced. */
export function resolveAmbiguity(
  message: SingleMessage,
  value: unknown,
  sender: Side,
  repeats: RepeatedNames,
): SingleMessage {
  if (!isObject(value)) return message;
  const isUnclear = repeats.depth <= 1 || hasVariant(value, frameNames);
  if (isUnclear) return makeAmbiguous(value, sender, repeats);
  if (message.kind === "opaque") {
    return sender === "client" && mayBeRequest(value) ? { ...message, isAsking: true } : message;
  }
  if (isPlain[sender][message.kind](value, repeats)) return message;
  const isAnswer = sender === "server" && (message.kind === "result" || message.kind === "error");
  return isAnswer ? makeUnpricedAnswer(message.id, value) : makeAmbiguous(value, sender, repeats);
}

type Kind = Exclude<SingleMessage["kind"], "opaque">;
type IsPlain = (value: JsonObject, repeats: RepeatedNames) => boolean;

/** True for a message whose members below the frame are the same for all readers, as far as limits depend on them. */
const isPlain: Readonly<Record<Side, Readonly<Record<Kind, IsPlain>>>> = {
  client: {
    request: isPlainRequest,
    notification: isPlainRequest,
    // Some libraries write the member that there is not as null.
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
  const opaque = { kind: "opaque", reason: "ambiguous", isFramed: true } as const;
  const { id } = value;
  if (includesId || !isId(id) || !hasOneId(value)) return opaque;
  if (sender === "client") return mayBeRequest(value) ? { ...opaque, isAsking: true } : opaque;
  const isAnswer = typeof value["method"] !== "string" && ("result" in value || "error" in value);
  return isAnswer ? makeUnpricedAnswer({ value: id }, value) : opaque;
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

function hasOneId(value: JsonObject): boolean {
  return Object.keys(value).filter((name) => fold(name) === "id").length === 1;
}

function mayBeRequest(value: JsonObject): boolean {
  return isId(value["id"]) && Object.keys(value).some((name) => fold(name) === "method");
}

function isPlainRequest({ method, params }: JsonObject, { depth }: RepeatedNames): boolean {
  if (depth <= 2 || hasVariant(params, paramsNames)) return false;
  if (isObject(params)) return isPlainCall(method, params["name"]);
  return isPlainCall(method, undefined) && (params ?? undefined) === undefined;
}

/** True for a method and a name that no server takes for others: some ignore case and spaces, and stop at U+0000. */
export function isPlainCall(method: unknown, name: unknown): boolean {
  if (!isPlainText(method)) return false;
  const isVaried = !callMethods.has(method) && callMethodLetters.has(extractLetters(method));
  return !isVaried && (method !== "tools/call" || isPlainText(name));
}

const callMethods: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get"]);

const extractLetters = memoize((method) => method.toLowerCase().replaceAll(/[^a-z]/g, ""));

const callMethodLetters: ReadonlySet<string> = new Set([...callMethods].map(extractLetters));

/** Of the messages that a server sends by itself, only news of a task and pushed texts have something that a model reads. */
const modelVisibleMethods = /^notifications\/(?:tasks|claude\/channel)/;

function isPlainServerMessage({ method, params }: JsonObject, { depth }: RepeatedNames): boolean {
  return (
    !modelVisibleMethods.test(String(method)) ||
    (depth === Infinity && !hasVariant(params, taskNames))
  );
}

/** True for a text that no reader cuts off, and of which no decoder drops a byte. */
function isPlainText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && !value.includes("\uFFFD");
}

function isPlainAnswer({ result, error }: JsonObject, { depth }: RepeatedNames): boolean {
  if (depth < Infinity || hasVariant(result, resultNames)) return false;
  const inner = isObject(result) ? result["result"] : undefined;
  return !hasVariant(inner, resultNames) && !hasVariant(error, errorNames);
}

function makeUnpricedAnswer(id: Id | undefined, value: JsonObject): SingleMessage {
  const doubt = { truncated: true, mayBeRejected: true } as const;
  if (!id || !("result" in value)) return { kind: "error", id, error: undefined, ...doubt };
  const withError = "error" in value ? { error: {} } : {};
  return { kind: "result", id, result: undefined, ...withError, ...doubt };
}

export function findRepeats(text: string, value: unknown): RepeatedNames {
  // True for most texts, and fast to find out: JSON.stringify repeats no name.
  if (isCompact(text, value)) return noRepeats;
  return mayBeSeveralMessages(text) ? { depth: 1, includesId: true } : scanRepeats(text);
}

/** Python and Node cut a line of a pipe at a CR, and simple clients read each line of an event's data by itself. */
function mayBeSeveralMessages(text: string): boolean {
  const [first = "", ...following] = text.trim().split("\n");
  if (following.length === 0) return first.includes("\r");
  return following.some((line) => wholeJson.test(line) && mayBeLenient.test(line));
}

const wholeJson = /^\s*[{[].*[}\]]\s*$/;

/** Every message has one of these names, in any case, with escaped letters, or with bytes that some decoders drop. */
export const mayBeLenient = /"_?(?:method|result|error)_?"|\\u|\uFFFD/iu;

const mayHaveId = /"_?(?:id|jsonrpc)_?"|\\u|\uFFFD/iu;

/** True for words with JSON behind them that may be a message: some readers skip the words, or end a line there. */
export function mayHoldMessage(text: string): boolean {
  const begin = text.search(/[{[]/);
  const json = begin < 0 ? "" : text.slice(begin);
  return mayBeLenient.test(json) && mayHaveId.test(json);
}

function isCompact(text: string, value: unknown): boolean {
  const json = JSON.stringify(value);
  return text.length - json.length <= lineEndCharactersMax && text.startsWith(json);
}

const lineEndCharactersMax = 2;

function scanRepeats(text: string): RepeatedNames {
  const open: (Set<string> | undefined)[] = [];
  let { depth, includesId } = noRepeats;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openBrace) open.push(new Set());
    else if (code === openBracket) open.push(undefined);
    else if (code === closeBrace || code === closeBracket) open.pop();
    if (code !== quote) continue;
    const end = skipString(text, at);
    const names = isFollowedByColon(text, end) ? open.at(-1) : undefined;
    const repeated = names && findRepeat(names, text.slice(at + 1, end - 1));
    if (repeated !== undefined) depth = Math.min(depth, open.length);
    includesId ||= repeated === "id";
    at = end - 1;
  }
  return { depth, includesId };
}

/** The name without its escapes where it was there before, or did not need them; else undefined. */
function findRepeat(names: Set<string>, written: string): string | undefined {
  const name = written.includes("\\") ? unescapeName(written) : written;
  const isSuspicious = names.has(name) || (name !== written && /^\w+$/.test(name));
  names.add(name);
  return isSuspicious ? name : undefined;
}

/** Offset behind the string that begins at `from`; most strings have no escapes, and are left in one step. */
function skipString(text: string, from: number): number {
  const end = findQuote(text, from + 1);
  return text.charCodeAt(end - 1) === backslash ? findStringEnd(text, from) : end + 1;
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}

function unescapeName(name: string): string {
  return String(JSON.parse(`"${name}"`));
}
