import { nameCharactersMax } from "#limits.ts";
import type { Side } from "#wire/side.ts";
import type { Id } from "#wire/message.ts";
import { textAt } from "#wire/json.ts";
import type { RequestDescription } from "#cost/methods.ts";
import type { Outcome } from "#records/record.ts";

/** The request that begins a call; one inside an answer has no id. */
export type CallRequest = {
  readonly id?: Id | undefined;
  readonly method: string;
  readonly params?: unknown;
  readonly truncated: boolean;
};

/**
 * One thing somebody asked for, from its request to its last answer. Multi-round trips and tasks take
 * several messages and stay one call.
 */
export class Call {
  readonly from: Side;
  readonly id: Id | undefined;
  readonly method: string;
  readonly asked: RequestDescription;
  readonly startedMs: number;
  /** What the request is about beside its arguments: the cursor of a list, the id of a task. */
  readonly subject: string | undefined;
  /** True when the request itself could not be read. */
  readonly isUnread: boolean;
  /** True when any of its messages could not be read. */
  truncated: boolean;
  /** True when its task is known to have failed, whether or not somebody asks for the reason. */
  hasFailed = false;
  messages = 1;
  inputBytes: number;
  outputBytes = 0;

  constructor(
    from: Side,
    request: CallRequest,
    asked: RequestDescription,
    bytes: number,
    startedMs: number,
  ) {
    this.from = from;
    this.id = request.id;
    this.method = request.method;
    this.asked = asked;
    this.startedMs = startedMs;
    this.subject = subjectOf(request.method, request.params);
    this.isUnread = request.truncated;
    this.truncated = request.truncated;
    this.inputBytes = bytes;
  }

  /** The id as records tell it: a text of any length is cut like a name. */
  get recordedId(): string | number | null {
    const value = this.id?.value ?? null;
    return typeof value === "string" ? value.slice(0, nameCharactersMax) : value;
  }

  /** How it ends when the connection does. */
  get outcomeAtEnd(): Outcome {
    if (this.hasFailed) return "rpc_error";
    // A subscription stays open for as long as the connection does.
    return this.method === "subscriptions/listen" ? "ok" : "abandoned";
  }

  /** A further request of the same call: a round of input, a poll of its task. */
  addRequest(bytes: number): void {
    this.messages += 1;
    this.inputBytes += bytes;
  }

  /** An answer of the call, the last one or not. */
  addAnswer(bytes: number, truncated: boolean): void {
    this.messages += 1;
    this.outputBytes += bytes;
    this.truncated ||= truncated;
  }
}

/** Requests about a task, of either kind of task. */
export const taskMethods: ReadonlySet<string> = new Set([
  "tasks/get",
  "tasks/result",
  "tasks/cancel",
  "tasks/update",
]);

function subjectOf(method: string, params: unknown): string | undefined {
  if (method === "tools/list") return textAt(params, "cursor");
  return taskMethods.has(method) ? textAt(params, "taskId") : undefined;
}
