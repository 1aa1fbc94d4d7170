import { nameCharactersMax } from "#kit/limits.ts";
import type { RequestDescription } from "#tokens/cost/methods.ts";
import type { Outcome } from "#records/record.ts";
import type { Side, Id } from "#wire/message.ts";
import { textAt, memberAt, isObject } from "#wire/json.ts";
import type { HttpExchange, Origin } from "./arrival.ts";
import type { Reader } from "#tokens/cost/exact-prices.ts";
import { canonicalJson } from "#wire/json-equal.ts";

type CallRequest = {
  readonly id?: Id | undefined;
  readonly method: string;
  readonly params?: unknown;
  readonly truncated: boolean;
  /** True for the result of a task that no call waits for, which only its arrival reveals. */
  readonly isRedelivery?: boolean;
  readonly recordedMethod?: string | undefined;
  readonly tally?: Tally;
};

export type Tally = {
  tokens: number;
  /** The part for its request that was given back with its answer; a result that is delivered after all pays it. */
  owed: number;
};

/** One operation that either side requested, from its request to its last answer. Multi-round trips and tasks take several messages and stay one call. */
export class Call {
  readonly from: Side;
  readonly id: Id | undefined;
  readonly method: string;
  readonly recordedMethod: string;
  readonly asked: RequestDescription;
  readonly startedMs: number;
  askedId: Id | undefined;
  exchange: HttpExchange | undefined;
  readonly subject: string | undefined;
  readonly isUnread: boolean;
  readonly isRedelivery: boolean;
  readonly tally: Tally;
  truncated: boolean;
  /** True once its task has failed, even when the client never asks for the reason. */
  hasFailed = false;
  /** The page of an app asks: no model reads the answer. */
  isForPage = false;
  heldMs = 0;
  messages = 1;
  readChunks: number;
  outputBytes = 0;

  constructor(request: CallRequest, asked: RequestDescription, origin: Origin) {
    const { from, size, atMs } = origin;
    this.from = from;
    this.exchange = origin.exchange;
    this.id = request.id;
    this.askedId = request.id;
    this.method = request.method;
    this.recordedMethod = request.recordedMethod ?? request.method;
    this.asked = asked;
    this.startedMs = atMs;
    this.subject = subjectOf(request.method, request.params);
    this.isUnread = request.truncated;
    this.isRedelivery = request.isRedelivery === true;
    this.tally = request.tally ?? { tokens: 0, owed: 0 };
    this.truncated = request.truncated;
    this.readChunks = size;
  }

  /** The id as records hold it: a text of any length is cut like a name. */
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
    this.readChunks += bytes;
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

function subjectOf(method: string, params: unknown): string | undefined {
  if (method === "tools/list" || method === "skills/list") return textAt(params, "cursor");
  return taskMethods.has(method) ? textAt(params, "taskId") : undefined;
}

export type Closing = {
  readonly outcome: Outcome;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The server's answer, where the client got ours in its place; without members when it was not read. */
  readonly replaced?: { readonly result?: unknown; readonly error?: unknown };
  readonly endedMs: number;
};

export function outcomeOfResult(method: string, result: unknown): Outcome {
  if (method !== "tools/call" || textAt(result, "resultType") === "input_required") return "ok";
  return memberAt(result, "isError") === true ? "tool_error" : "ok";
}

/**
 * The arguments by which a call is compared with others, as canonical JSON: without those that the client adds to every
 * tool for itself. An argument of that name that the tool declares in its input schema is the tool's own.
 */
export function comparedArguments(
  { method, asked: { arguments: json, tool } }: Pick<Call, "method" | "asked">,
  { profile, tools }: Pick<Reader, "profile" | "tools">,
): string | undefined {
  if (json === undefined || tool === null || method !== "tools/call") return json;
  if (profile.ownArguments.length === 0) return json;
  const declared = memberAt(tools?.find(tool), "inputSchema", "properties");
  const added = profile.ownArguments.filter((name) => memberAt(declared, name) === undefined);
  return withoutMembers(json, added);
}

function withoutMembers(json: string, names: readonly string[]): string {
  if (!names.some((name) => json.includes(JSON.stringify(name)))) return json;
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return json;
  const rest = Object.entries(value).filter(([name]) => !names.includes(name));
  return canonicalJson(Object.fromEntries(rest));
}

/** A moment: wall clock for people, monotonic clock for durations. */
export type Instant = { readonly wallMs: number; readonly monoMs: number };
