import { newline } from "#kit/text/ascii.ts";
import { findElements, type ElementSpan } from "#wire/edit-line-bytes.ts";
import {
  type Side,
  makeErrorLine,
  makeNotificationLine,
  makeResultLine,
  type Id,
} from "#wire/message.ts";
import type { Line } from "#wire/line.ts";
import { skimBytes, findMember, readSkimmedText } from "#wire/skimmer.ts";
import { type JsonObject, readString, readMember, isObject, canonicalizeJson } from "#wire/json.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import {
  describeError,
  describeResult,
  type RequestDescription,
} from "#tokens/cost/describe-calls.ts";
import { type AnswerContext, pickCeiling, type Visibility } from "#tokens/cost/visibility.ts";
import type { Outcome } from "#records/record.ts";
import type { Reader } from "#tokens/cost/reader.ts";

export type Position = {
  readonly line: Line;
  readonly item: number | undefined; // index in a batch; undefined outside a batch
};

export type HttpExchange = {
  readonly number: number;
  readonly isStateless: boolean; // request ids are only valid inside this exchange
};

export type Origin = {
  readonly from: Side;
  readonly size: number; // bytes; each message of a batch has an equal share
  readonly atMs: number;
  readonly exchange?: HttpExchange | undefined;
};

export type Arrival = Position &
  Origin & {
    readonly hasPassed: boolean; // forwarded before it is judged
  };

const decoder = new TextDecoder();

/** The id, exactly as its sender wrote it. The text `null` if the id is missing or was not kept. */
export function readRawId({ line, item }: Position): string {
  const bytes = line.bytes && sliceMessage(line.bytes, item);
  const skim = bytes ? skimBytes(bytes) : line.skim;
  const id = skim && findMember(skim, "id");
  if (!id || !bytes) return id?.text ?? "null";
  return decoder.decode(bytes.subarray(id.start, id.end)).trim();
}

/** The message as a separate line; undefined if its bytes were not kept. */
export function copyLine({ line, item }: Position): Uint8Array | undefined {
  if (!line.bytes) return undefined;
  const bytes = sliceMessage(line.bytes, item);
  const isEnded = bytes.at(-1) === newline;
  const ended = new Uint8Array(bytes.length + (isEnded ? 0 : 1));
  ended.set(bytes);
  if (!isEnded) ended[bytes.length] = newline;
  return ended;
}

export function readName({ line, item }: Position): string | undefined {
  const skim = line.bytes ? skimBytes(sliceMessage(line.bytes, item)) : line.skim;
  return skim && readSkimmedText(skim, "name");
}

// Also true for a line with a `\u` escape, which may hide the method, and for a line whose bytes were not kept.
export function mayHaveMethod(method: string, { line: { bytes } }: Position): boolean {
  const buffer = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const spellings = [method, method.replaceAll("/", "\\/"), "\\u"];
  return !buffer || spellings.some((spelling) => buffer.includes(spelling));
}

// The elements of a batch are cached, because a batch may have thousands of messages.
const batchElements = new WeakMap<Uint8Array, readonly ElementSpan[]>();

function sliceMessage(bytes: Uint8Array, item: number | undefined): Uint8Array {
  if (item === undefined) return bytes;
  const elements = batchElements.get(bytes) ?? findElements(bytes);
  batchElements.set(bytes, elements);
  const [start, end] = elements[item] ?? [0, 0];
  return bytes.subarray(start, end);
}

// Writes our answer in the form of the answer that it replaces: a response, a task's state, or a notification.
export type Carrier = {
  result(rawId: string, result: unknown): Uint8Array;
  error(rawId: string, error: unknown): Uint8Array;
};

export const plainCarrier: Carrier = { result: makeResultLine, error: makeErrorLine };

export function makeStateCarrier(state: JsonObject): Carrier {
  return {
    result: (rawId, result) => makeResultLine(rawId, makeCompleted(state, result)),
    error: (rawId, error) => makeErrorLine(rawId, error),
  };
}

export function makeNotificationCarrier(method: string, state: JsonObject): Carrier {
  return {
    result: (_, result) => makeNotificationLine(method, makeCompleted(state, result)),
    error: (_, error) => makeNotificationLine(method, makeFailed(state, error)),
  };
}

function makeCompleted(state: JsonObject, result: unknown): unknown {
  return { ...state, status: "completed", error: undefined, result };
}

function makeFailed(state: JsonObject, error: unknown): unknown {
  return { ...state, status: "failed", result: undefined, error };
}

/** A new call. It opens only with `Tracker.open`, so that a gate can refuse it first. */
export type Requested = {
  readonly kind: "requested";
  readonly call: Call;
  readonly arrival: Arrival;
};

// The call may stay open: the result may ask for input, or create a task.
type Answered = {
  readonly kind: "answered";
  readonly call: Call;
  readonly result: unknown;
  readonly mayBeRejected?: true; // the client may reject this answer and read the next one with the same id
};

export type Closed = {
  readonly kind: "closed";
  readonly call: Call;
  readonly closing: Closing;
  readonly answer?: { readonly arrival: Arrival; readonly carrier: Carrier };
  readonly mayBeRejected?: true;
};

/** An answer that gets no record: the call's task still runs, or an earlier answer to the call had `mayBeRejected`. */
export type Repeated = Omit<Closed, "kind"> & { readonly kind: "repeated" };

/** A line that may answer any open call. Every open call is charged for the line. */
export type Unreadable = {
  readonly kind: "unreadable";
  readonly arrival: Arrival;
  readonly redelivery?: Call; // also charged, because the line may contain a task's result or a pushed text
};

// An answer whose request is not open: already answered, held, never made, or cancelled (`isLate`).
type Unexpected = { readonly kind: "unexpected"; readonly isLate: boolean };

// The client cancels a request that is not open but may be held.
type Withdrawn = { readonly kind: "withdrawn"; readonly id: Id };

export type Transition =
  Requested | Answered | Closed | Repeated | Unreadable | Unexpected | Withdrawn;

type CallRequest = {
  readonly id?: Id | undefined;
  readonly method: string;
  readonly params?: unknown;
  readonly truncated: boolean;
  readonly isRedelivery?: boolean; // a task's result for which no call waits, or a text that the server pushes
  readonly recordedMethod?: string | undefined;
  readonly tally?: Tally;
};

// The tokens charged to budgets for a call and for later deliveries of its result.
export type Tally = {
  tokens: number;
  owed: number; // request tokens that were refunded because the answer was withheld; charged again when it is delivered
};

/** A multi-round-trip request or a task takes several messages but remains one call. */
export class Call {
  readonly from: Side;
  readonly id: Id | undefined;
  readonly method: string;
  readonly recordedMethod: string;
  readonly request: RequestDescription;
  readonly startedMs: number;
  latestId: Id | undefined; // of its last request; each round trip or poll has a new id
  exchange: HttpExchange | undefined;
  readonly subject: string | undefined; // the cursor of a list of tools or skills, or the id of a task
  readonly isRequestUnparsed: boolean;
  readonly isRedelivery: boolean;
  readonly tally: Tally;
  truncated: boolean;
  hasFailed = false; // its task has failed; the client may never ask for the reason
  isForApp = false; // requested by or for an MCP App: no model reads the answer
  isNoted = false; // the model reads a note that the answer is unchanged
  heldMs = 0;
  messages = 1;
  inputBytes: number;
  outputBytes = 0;

  constructor(request: CallRequest, description: RequestDescription, origin: Origin) {
    const { from, size, atMs } = origin;
    this.from = from;
    this.exchange = origin.exchange;
    this.id = request.id;
    this.latestId = request.id;
    this.method = request.method;
    this.recordedMethod = request.recordedMethod ?? request.method;
    this.request = description;
    this.startedMs = atMs;
    this.subject = readSubject(request.method, request.params);
    this.isRequestUnparsed = request.truncated;
    this.isRedelivery = request.isRedelivery === true;
    this.tally = request.tally ?? { tokens: 0, owed: 0 };
    this.truncated = request.truncated;
    this.inputBytes = size;
  }

  get recordedId(): string | number | null {
    const value = this.id?.value ?? null;
    return typeof value === "string" ? value.slice(0, nameCharactersMax) : value;
  }

  get outcomeAtEnd(): Outcome {
    if (this.hasFailed) return "rpc_error";
    // A subscription stays open for as long as the connection does.
    return this.method === "subscriptions/listen" ? "ok" : "abandoned";
  }

  addRequest(bytes: number): void {
    this.messages += 1;
    this.inputBytes += bytes;
  }

  addAnswer(bytes: number, truncated: boolean): void {
    this.messages += 1;
    this.outputBytes += bytes;
    this.truncated ||= truncated;
  }
}

export const taskMethods: ReadonlySet<string> = new Set([
  "tasks/get",
  "tasks/result",
  "tasks/cancel",
  "tasks/update",
]);

function readSubject(method: string, params: unknown): string | undefined {
  if (method === "tools/list" || method === "skills/list") return readString(params, "cursor");
  return taskMethods.has(method) ? readString(params, "taskId") : undefined;
}

export type Closing = {
  readonly outcome: Outcome;
  readonly result?: unknown;
  readonly error?: unknown;
  // The server's answer if the client got ours instead; without members if it was not parsed.
  readonly replaced?: { readonly result?: unknown; readonly error?: unknown };
  readonly endedMs: number;
};

const emptyVisibility: Visibility = { visible: [], wire: [], duplicate: [] };

/** An answer may wrongly have a result and an error. Clients read only one of them, so the larger one counts. */
export function describeAnswer(
  method: string,
  { result, error }: Pick<Closing, "result" | "error">,
  context: AnswerContext,
): Visibility {
  const errorVisibility = error === undefined ? undefined : describeError(method, error, context);
  if (result === undefined) return errorVisibility ?? emptyVisibility;
  const resultVisibility = describeResult(method, result, context);
  if (!errorVisibility) return resultVisibility;
  const countTokens = ({ visibleAtMost, visible }: Visibility): number =>
    context.count(visibleAtMost ?? visible, Infinity);
  const isErrorLarger = countTokens(errorVisibility) > countTokens(resultVisibility);
  const larger = isErrorLarger ? errorVisibility : resultVisibility;
  if (!resultVisibility.ceiling) return larger;
  return {
    ...larger,
    ceiling: () => [...pickCeiling(resultVisibility), ...pickCeiling(errorVisibility)],
  };
}

export function readComparedArguments(
  { method, request: { arguments: json, tool } }: Pick<Call, "method" | "request">,
  { profile, tools }: Pick<Reader, "profile" | "tools">,
): string | undefined {
  if (json === undefined || tool === null || method !== "tools/call") return json;
  if (profile.addedArguments.length === 0) return json;
  const declared = readMember(tools?.find(tool), "inputSchema", "properties");
  const added = profile.addedArguments.filter((name) => readMember(declared, name) === undefined);
  return removeMembers(json, added);
}

function removeMembers(json: string, names: readonly string[]): string {
  if (!names.some((name) => json.includes(JSON.stringify(name)))) return json;
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return json;
  const rest = Object.entries(value).filter(([name]) => !names.includes(name));
  return canonicalizeJson(Object.fromEntries(rest));
}

export type Instant = { readonly wallMs: number; readonly monoMs: number };
