import { nameCharactersMax } from "#kit/limits.ts";
import type { RequestDescription } from "#tokens/cost/methods.ts";
import type { Outcome } from "#records/record.ts";
import type { Side } from "#wire/side.ts";
import { textAt } from "#wire/json.ts";
import type { Id } from "#wire/message.ts";
import type { HttpExchange, Origin } from "./arrival.ts";

export type CallRequest = {
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
