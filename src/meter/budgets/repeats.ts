import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { setBounded } from "#kit/limits.ts";
import { tryParseJson } from "#kit/errors.ts";
import type { CallRecord } from "#records/record.ts";
import { countCeiling } from "#tokens/cost/count-parts.ts";
import { isBlock, isValidResult } from "#tokens/cost/client-profiles/rejections.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { describeToolResult, makeAnswerContext, pickCeiling } from "#tokens/cost/visibility.ts";
import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { isAcceptedEverywhere } from "#wire/parse-message.ts";
import { findMember, skimBytes } from "#wire/skimmer.ts";
import { showsEveryText } from "../actions/fit-result.ts";
import { refusalNameCharactersMax } from "../actions/refusal.ts";
import {
  type Call,
  type Closed,
  type Closing,
  plainCarrier,
  readComparedArguments,
  type Transition,
} from "../calls/call.ts";
import { type DecisionContext, type Decision, unsettled } from "./decision.ts";
import { exactCountCharactersMax } from "./request-decision.ts";

type ComparingReader = Pick<Reader, "profile" | "tools">;

export class Repeats {
  readonly #max: number;
  #call: Call | undefined;
  #key: string | undefined;
  #times = 0;

  constructor(max: number) {
    this.#max = max;
  }

  // Returns the allowed number if this call exceeds it. Refused calls count as well. Counts each call once.
  findExcess(call: Call, reader: ComparingReader): number | undefined {
    if (call.isForApp) return undefined;
    if (call !== this.#call) this.#count(call, reader);
    return this.#times > this.#max ? this.#max : undefined;
  }

  allowsAnother(call: Call): boolean {
    return call !== this.#call || this.#times < this.#max;
  }

  forget(call: Call): void {
    if (call !== this.#call) return;
    this.#times -= 1;
    this.#call = undefined;
  }

  #count(call: Call, reader: ComparingReader): void {
    const key = makeRepeatKey(call, reader);
    this.#times = key !== undefined && key === this.#key ? this.#times + 1 : 1;
    this.#key = key;
    this.#call = call;
  }
}

// Undefined for an unparsed request: two such requests may differ.
function makeRepeatKey(call: Call, reader: ComparingReader): string | undefined {
  const { method, request, isRequestUnparsed } = call;
  const args = readComparedArguments(call, reader) ?? "";
  return isRequestUnparsed ? undefined : `${method}\n${request.tool ?? ""}\n${args}`;
}

// After a pause, Claude Code and Qwen Code clear all but the last five tool answers.
export const repeatNoteCallsMax = 5;

// Tokens of all calls to this server between two equal answers. OpenCode keeps the last 40,000 tokens of all tools.
export const repeatNoteTokensMax = 20_000;

// Claude Code and Qwen Code clear answers after a pause of an hour.
export const repeatNoteAgeMaxMs = 30 * 60_000;

// Savings must outweigh the risk: a model without the earlier answer pays for the note and another call.
export const repeatNoteSavedTokensMin = 100;

export type RepeatNote = {
  readonly result: JsonObject;
  readonly tokens: number; // upper bound for this client
};

type RepeatableAnswer = { readonly bytes: Uint8Array; readonly hash: string };

type EarlierAnswer = {
  readonly hash: string;
  readonly number: number; // 1 for the first answer of this session
  readonly atMs: number;
  readonly reader: Reader;
  // Set when the answer is counted, if the model read it whole. `sumThen`: the tokens of all calls counted by then.
  tokens?: { readonly answer: number; readonly sumThen: number };
};

type Hash = (text: string) => string;

/** Sends a note instead of an answer that the model recently read whole. After a note, the next equal answer passes. */
export class RepeatNotes {
  readonly #hash: Hash;
  readonly #earlier = new Map<string, EarlierAnswer>();
  readonly #byCall = new WeakMap<Call, EarlierAnswer>();
  #opened = new WeakSet<Call>();
  #answers = 0;
  #tokens = 0; // of all counted calls

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  open(call: Call): void {
    this.#opened.add(call);
  }

  // Also forgets the open calls: their answers will not be remembered.
  forget(): void {
    this.#earlier.clear();
    this.#opened = new WeakSet();
  }

  /** `decideWith` may also refuse or shorten the answer. Only an answer that passes is remembered. */
  decide(
    closed: Closed,
    context: DecisionContext,
    decideWith: (note: RepeatNote | undefined) => Decision,
  ): Decision {
    const { call } = closed;
    const key = this.#makeKey(call, context.reader);
    const answer = this.#readAnswer(closed, context.reader);
    const earlier = answer && this.#findSame(key, answer.hash, context);
    if (earlier && !context.isSettled) return unsettled;
    const note = answer && earlier && this.#writeNote(answer.bytes, earlier, closed);
    const decision = decideWith(note);
    if (decision.kind === "pending" || decision.kind === "unsettled") return decision;
    call.isNoted = decision.kind === "replace" && note?.result === decision.result;
    this.#answers += 1;
    this.#earlier.delete(key);
    if (answer && decision.kind === "forward") this.#remember(key, answer.hash, call, context);
    return decision;
  }

  #readAnswer(closed: Closed, reader: Reader): RepeatableAnswer | undefined {
    const bytes = this.#opened.has(closed.call) ? readRepeatable(closed, reader) : undefined;
    return bytes && { bytes, hash: this.#hash(toLatin1(bytes)) };
  }

  #remember(key: string, hash: string, call: Call, { nowMs, reader }: DecisionContext): void {
    const answer = { hash, number: this.#answers, atMs: nowMs, reader };
    setBounded(this.#earlier, key, answer, repeatNoteCallsMax);
    this.#byCall.set(call, answer);
  }

  settle(call: Call, record: CallRecord, isWhole: boolean): void {
    this.#tokens += record.total_tokens;
    const answer = this.#byCall.get(call);
    if (answer && isWhole && !record.truncated) {
      answer.tokens = { answer: record.output_tokens, sumThen: this.#tokens };
    }
  }

  // Conversations that share a connection do not share a context.
  #makeKey(call: Call, reader: Reader): string {
    const { threadId, sessionId } = call.request.caller;
    return this.#hash(JSON.stringify([makeRepeatKey(call, reader), threadId, sessionId]));
  }

  #findSame(
    key: string,
    hash: string,
    { reader, nowMs }: DecisionContext,
  ): EarlierAnswer | undefined {
    const earlier = this.#earlier.get(key);
    if (!earlier || earlier.hash !== hash || earlier.reader !== reader) return undefined;
    const ageMs = nowMs - earlier.atMs;
    const isRecent =
      this.#answers - earlier.number < repeatNoteCallsMax &&
      ageMs >= 0 &&
      ageMs <= repeatNoteAgeMaxMs;
    return isRecent ? earlier : undefined;
  }

  #writeNote(
    bytes: Uint8Array,
    { tokens: counted, atMs, reader }: EarlierAnswer,
    { call, closing: { result } }: Closed,
  ): RepeatNote | undefined {
    if (!counted || this.#tokens - counted.sumThen > repeatNoteTokensMax) return undefined;
    if (!isObject(result) || !areMembersExact(bytes, result)) return undefined;
    const text = describeRepeat(call.request.tool ?? "", counted.answer, atMs);
    const noted = { ...result, content: [{ type: "text", text }] };
    const shown = describeToolResult(noted, makeAnswerContext(reader, call.request));
    const noteTokensMax = counted.answer - repeatNoteSavedTokensMin;
    const tokens = countCeiling(pickCeiling(shown), reader, noteTokensMax);
    const isShown = tokens <= noteTokensMax && showsEveryText(shown.visible, noted);
    return isShown ? { result: noted, tokens } : undefined;
  }
}

/** True if the model may lack earlier answers: perhaps the client did not read them, or a new context begins. */
export function mayLackAnswers(transition: Transition): boolean {
  switch (transition.kind) {
    case "requested":
      return transition.call.method === "initialize";
    case "answered":
      return false;
    case "closed":
      return transition.closing.outcome === "cancelled";
    default:
      return true;
  }
}

function describeRepeat(tool: string, tokens: number, atMs: number): string {
  const name = makeSafeName(tool, refusalNameCharactersMax);
  const time = new Date(atMs).toISOString().slice(11, 16);
  return `mcp-meter: ${name} ran, and its answer (${pluralize(tokens, "token")}) is unchanged since the call at ${time} UTC with the same arguments. Use that answer. If you do not have it, repeat the call to get it whole.`;
}

// Returns the bytes of a result that every client accepts and only a model reads, else undefined.
function readRepeatable(closed: Closed, reader: Reader): Uint8Array | undefined {
  const { call, closing, answer } = closed;
  const line = answer && isPlainAnswer(answer, closing) ? answer.arrival.line : undefined;
  if (!line?.bytes || !isPlainCall(call, reader) || !isPlainResult(closing.result))
    return undefined;
  if (!mayReplaceContent(call, closing.result, reader) || !isAccepted(closed, line.bytes))
    return undefined;
  const member = findMember(line.skim ?? skimBytes(line.bytes), "result");
  return member && line.bytes.subarray(member.start, member.end);
}

function isPlainAnswer(
  { arrival, carrier }: NonNullable<Closed["answer"]>,
  { outcome }: Closing,
): boolean {
  return carrier === plainCarrier && !arrival.hasPassed && outcome === "ok";
}

// Tasks and multi-round-trip calls have more than two messages. Stateless requests may come from several clients.
function isPlainCall(call: Call, { profile }: Reader): boolean {
  const { method, request, exchange, messages, truncated, isForApp } = call;
  const { caller, tool } = request;
  if (method !== "tools/call" || tool === null || truncated || isForApp || messages !== 2)
    return false;
  const isKnown = caller.threadId !== undefined || caller.sessionId !== undefined;
  return !profile.isScripted(caller) && (exchange?.isStateless !== true || isKnown);
}

const plainMembers = new Set(["content", "structuredContent", "isError", "resultType", "_meta"]);

function isPlainResult(result: unknown): result is JsonObject {
  if (!isObject(result) || !isValidResult(result)) return false;
  const { content, resultType = "complete" } = result;
  const isKnown = Object.keys(result).every((name) => plainMembers.has(name));
  return isKnown && resultType === "complete" && Array.isArray(content) && content.every(isBlock);
}

// A modern server may name itself in the `_meta` of each result. SDK clients accept this.
function isAccepted({ mayBeRejected, call, closing }: Closed, bytes: Uint8Array): boolean {
  if (mayBeRejected !== true) return true;
  const message = tryParseJson(Buffer.from(bytes).toString());
  const meta = readMember(closing.result, "_meta");
  if (!isObject(message) || !isObject(meta) || message["id"] !== call.latestId?.value) return false;
  const { [serverInfoKey]: server, ...rest } = meta;
  const isNamed = [readString(server, "name"), readString(server, "version")].every(
    (text) => text !== undefined,
  );
  return isNamed && isAcceptedEverywhere({ ...message, result: { _meta: rest } });
}

const serverInfoKey = "io.modelcontextprotocol/serverInfo";

// SDK clients reject a result without the promised `structuredContent`. Apps read the content, too.
function mayReplaceContent(
  { request }: Call,
  { structuredContent }: JsonObject,
  { tools }: Reader,
): boolean {
  const definition = tools?.find(request.tool ?? "");
  if (!definition) return false;
  const isPromised = readMember(definition, "outputSchema") !== undefined;
  const isForApp = appKeys.some((key) => readMember(definition, "_meta", key) !== undefined);
  return !isForApp && (!isPromised || isObject(structuredContent));
}

const appKeys = ["ui", "ui/resourceUri", "openai/outputTemplate"];

// Rewriting may change members other than `content`: 1.0 would become 1.
function areMembersExact(answer: Uint8Array, result: JsonObject): boolean {
  const { members } = skimBytes(answer);
  const remaining = members.filter(({ key }) => key !== "content");
  const bytes = remaining.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    members.length === Object.keys(result).length &&
    bytes <= exactCountCharactersMax &&
    remaining.every(({ key, start, end }) => {
      return (
        toLatin1(answer.subarray(start, end)).trim() ===
        toLatin1(Buffer.from(JSON.stringify(result[key])))
      );
    })
  );
}

// Each byte becomes one character, so that different bytes are different texts.
function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
