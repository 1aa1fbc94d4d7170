import { isObject } from "#wire/json.ts";
import type { SingleMessage } from "#wire/message.ts";
import type { Side } from "#wire/side.ts";
import { type CreatedTask, type TaskResult, type TaskState, taskState } from "#wire/task.ts";
import type { Call } from "./call.ts";
import { asItIs, type Carrier, inNotification, inState } from "./carrier.ts";
import type { TaskEvent } from "./task-steps.ts";

export type TaskNotification = Pick<
  Extract<SingleMessage, { kind: "notification" }>,
  "method" | "params" | "truncated"
>;

export type TaskNews = {
  readonly taskId: string | undefined;
  readonly event: TaskEvent;
  readonly isFailed: boolean;
  readonly delivered?: Delivered;
};

type Delivered = {
  readonly result: TaskResult;
  readonly carrier: Carrier | undefined;
  /** True when the whole message is the result, so that it has no record but that of the call. */
  readonly isWhole: boolean;
};

/**
 * The news in an answer to a request about a task: `tasks/result` (2025-11-25) is answered with the result,
 * the others with a state, which in 2026 contains it. An error that `tasks/get` is answered with ends the
 * task for its client. A state that could not be parsed may contain a result. Undefined for no news.
 */
export function newsOfPoll(
  { method, subject }: Pick<Call, "method" | "subject">,
  answer: TaskResult,
): TaskNews | undefined {
  const isError = !("result" in answer);
  if (method === "tasks/result" || (method === "tasks/get" && isError)) {
    return delivery(subject, { result: answer, carrier: asItIs, isWhole: true });
  }
  if (isError) return undefined;
  const { result, error } = answer;
  // A message with both is a result to one client and an error to another.
  if (result === undefined || (method === "tasks/get" && error !== undefined)) {
    const carrier = inState({ taskId: subject });
    return delivery(subject, { result: answer, carrier, isWhole: true });
  }
  const state = taskState(result);
  // A client takes the answer for a state of the task that it asked about, also when it names another one.
  const isOther = state.taskId !== undefined && state.taskId !== subject;
  const carrier = isObject(result) ? inState(result) : undefined;
  return newsOfState(isOther ? undefined : subject, state, carrier);
}

/** The news in a notification about a task; one that was too long to parse may contain a result. Those of a client cannot be replaced. */
export function newsOfNotification(
  { method, params, truncated }: TaskNotification,
  from: Side,
): TaskNews {
  if (truncated) {
    const carrier = from === "server" ? inNotification(method, {}) : undefined;
    return delivery(undefined, { result: { result: undefined }, carrier, isWhole: true });
  }
  const state = taskState(params);
  const isCarried = from === "server" && isObject(params);
  return newsOfState(state.taskId, state, isCarried ? inNotification(method, params) : undefined);
}

/** The answer in a result that creates a task: its own content, the end of the task, or both. Undefined for a task that continues. */
export function answerInCreated(
  { isAnswer, isWhole, ended, immediate }: CreatedTask,
  { result, error }: TaskResult,
): Delivered | undefined {
  if (isAnswer || error !== undefined) {
    const hasMore = ended !== undefined || immediate !== undefined;
    const all = { result: hasMore ? { result } : result, error };
    return { result: all, carrier: asItIs, isWhole: true };
  }
  if (!ended) return undefined;
  if (immediate !== undefined) {
    return { result: { result: { result } }, carrier: asItIs, isWhole: true };
  }
  const carrier = isWhole && isObject(result) ? inState(result) : asItIs;
  return { result: ended, carrier, isWhole: true };
}

function newsOfState(
  taskId: string | undefined,
  { status, ended }: TaskState,
  carrier: Carrier | undefined,
): TaskNews {
  if (ended) return delivery(taskId, { result: ended, carrier, isWhole: false });
  const event = status === "cancelled" ? "cancelled" : "status";
  return { taskId, event, isFailed: status === "failed" };
}

function delivery(taskId: string | undefined, delivered: Delivered): TaskNews {
  return { taskId, event: "delivered", isFailed: false, delivered };
}
