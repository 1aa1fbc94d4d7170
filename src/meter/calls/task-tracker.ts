import { setBounded, nameCharactersMax } from "#kit/limits.ts";
import {
  type CreatedTask,
  type TaskResult,
  type TaskState,
  readTaskState,
} from "#wire/pair-answers.ts";
import { readMember, readString, isObject } from "#wire/json.ts";
import { oppositeSide, type Side, type SingleMessage } from "#wire/message.ts";
import {
  type Arrival,
  type Origin,
  plainCarrier,
  type Carrier,
  makeNotificationCarrier,
  makeStateCarrier,
  type Call,
  type Closed,
  type Repeated,
} from "./call.ts";
import { closeAnswered, endCall, abandon } from "./outcome.ts";
import {
  listEntries,
  type InnerAnswer,
  makeInnerCall,
  closeInner,
  makeRedelivery,
} from "./round-trips.ts";
import { type TaskChange, Tasks, type TaskEvent, suspendedCallsMax } from "./task-steps.ts";

/**
 * Input that tasks request (MCP 2026-07-28). Each request for input counts once, although a task can repeat the request
 * in later states.
 */
export class TaskInputs {
  readonly #hash: (text: string) => string;
  readonly #calls = new Map<string, Call | undefined>();

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  noteRequests(taskId: string | undefined, state: unknown, origin: Origin): void {
    if (taskId === undefined) return;
    for (const [name, entry] of listEntries(readMember(state, "inputRequests"))) {
      const key = this.#makeKey(taskId, name);
      const call = this.#calls.has(key) ? undefined : makeInnerCall(entry, origin);
      if (call) setBounded(this.#calls, key, call, suspendedCallsMax);
    }
  }

  takeResponses(taskId: string | undefined, rawResponses: unknown): InnerAnswer[] {
    if (taskId === undefined || this.#calls.size === 0) return [];
    return listEntries(rawResponses).flatMap(([name, result]) => {
      const key = this.#makeKey(taskId, name);
      const call = this.#calls.get(key);
      if (!call) return [];
      this.#calls.set(key, undefined);
      call.addAnswer(0, false);
      return [{ call, result }];
    });
  }

  #makeKey(taskId: string, name: string): string {
    const key = JSON.stringify([taskId, name]);
    return key.length <= nameCharactersMax ? key : `sha256 ${this.#hash(key)}`;
  }
}

// `from` is the side that sent the request for which the task was created.
type Cause = { readonly from: Side; readonly arrival: Arrival; readonly poll?: Call };

export class TaskTracker {
  readonly #tasks: { readonly [side in Side]: Tasks };
  readonly #inputs: { readonly [side in Side]: TaskInputs };

  constructor(hash: (text: string) => string) {
    this.#tasks = { client: new Tasks(hash), server: new Tasks(hash) };
    this.#inputs = { client: new TaskInputs(hash), server: new TaskInputs(hash) };
  }

  takeCreated(
    call: Call,
    created: CreatedTask,
    answer: TaskResult,
    arrival: Arrival,
  ): readonly (Closed | Repeated)[] {
    const { taskId, isAnswer } = created;
    this.#inputs[call.from].noteRequests(taskId, answer.result, arrival);
    const tasks = this.#tasks[call.from];
    const { step, older, displaced } = tasks.take(taskId, isAnswer ? "mentioned" : "created", call);
    const droppedCalls = [step.older ? older : undefined, displaced];
    const abandoned = droppedCalls.flatMap((dropped) => abandon(dropped, arrival.atMs));
    const delivered = readAnswerInCreated(created, answer);
    if (delivered) {
      if (step.newer === "waits") tasks.take(taskId, "delivered");
      return [...abandoned, closeAnswered(call, delivered.result, arrival, delivered.carrier)];
    }
    const unanswered = step.newer === "waits" ? [] : abandon(call, arrival.atMs);
    return [...chargeImmediateText(call, created, arrival), ...abandoned, ...unanswered];
  }

  // If a poll's answer is only the result of a call, the poll gets no record.
  takePollAnswer(poll: Call, answer: TaskResult, arrival: Arrival): readonly Closed[] {
    this.#inputs[poll.from].noteRequests(poll.subject, answer.result, arrival);
    const news = readPollNews(poll, answer);
    const advanced = news ? this.#advance(news, { from: poll.from, arrival, poll }) : [];
    if (news?.delivered?.isWhole === true) return advanced;
    return [...advanced, closeAnswered(poll, answer, arrival)];
  }

  takeNotification(notification: TaskNotification, arrival: Arrival): readonly Closed[] {
    const news = readNotificationNews(notification, arrival.from);
    const from = oppositeSide(arrival.from);
    this.#inputs[from].noteRequests(news.taskId, notification.params, arrival);
    return this.#advance(news, { from, arrival });
  }

  takeRequest(method: string, params: unknown, { from, atMs }: Arrival): readonly Closed[] {
    if (method !== "tasks/update") return [];
    const responses = readMember(params, "inputResponses");
    return this.#inputs[from]
      .takeResponses(readString(params, "taskId"), responses)
      .map((answer) => closeInner(answer, atMs));
  }

  drain(): Call[] {
    return [...this.#tasks.client.drain(), ...this.#tasks.server.drain()];
  }

  #advance(news: TaskNews, cause: Cause): readonly Closed[] {
    const { from, arrival, poll } = cause;
    const change = this.#tasks[from].take(news.taskId, news.event);
    const { step, older } = change;
    if (older) older.hasFailed = news.isFailed;
    if (older && step.older === "cancelled") return [endCall(older, "cancelled", arrival.atMs)];
    const { delivered } = news;
    if (!delivered) return [];
    const call = chooseReceiver(change, cause, delivered);
    if (delivered.isWhole) {
      if (poll && call === older) call.addRequest(poll.inputBytes);
      call.addAnswer(arrival.size, poll?.truncated ?? true);
    }
    return [closeAnswered(call, delivered.result, arrival, delivered.carrier)];
  }
}

// The model reads this text while the task runs, so the call is charged for it and stays open.
function chargeImmediateText(
  call: Call,
  { immediateText: text }: CreatedTask,
  arrival: Arrival,
): readonly Repeated[] {
  if (text === undefined) return [];
  const result = { content: [{ type: "text", text }] };
  return [{ ...closeAnswered(call, { result }, arrival, plainCarrier), kind: "repeated" }];
}

function chooseReceiver(
  { step, older, owner }: TaskChange,
  { from, poll, arrival }: Cause,
  { result, isWhole }: NonNullable<TaskNews["delivered"]>,
): Call {
  if (older && step.older === "answered") return older;
  const isRejected = isWhole && poll?.method === "tasks/get" && !("result" in result);
  const recordedMethod = isRejected ? poll.method : undefined;
  const facts = { from, poll, arrival, recordedMethod };
  return makeRedelivery(step.charged === "its tool" ? owner : undefined, facts);
}

type TaskNotification = Pick<
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
  readonly isWhole: boolean; // the message is only the result, so it gets no record besides the call's
};

/** Since MCP 2026-07-28, a result is in the task's state; before, in the answer to `tasks/result`. */
export function readPollNews(
  { method, subject }: Pick<Call, "method" | "subject">,
  answer: TaskResult,
): TaskNews | undefined {
  const isError = !("result" in answer);
  if (method === "tasks/result" || (method === "tasks/get" && isError)) {
    return makeDeliveryNews(subject, { result: answer, carrier: plainCarrier, isWhole: true });
  }
  if (isError) return undefined;
  const { result, error } = answer;
  // An unparsed answer (its `result` is undefined) counts as the task's result. An answer to `tasks/get` with both
  // `result` and `error` does too, because some clients read only the `error`.
  if (result === undefined || (method === "tasks/get" && error !== undefined)) {
    const carrier = makeStateCarrier({ taskId: subject });
    return makeDeliveryNews(subject, { result: answer, carrier, isWhole: true });
  }
  const state = readTaskState(result);
  // If the poll and the state name different tasks, the tool is unknown. Every tool's budgets are then charged.
  const namesOtherTask = state.taskId !== undefined && state.taskId !== subject;
  const carrier = isObject(result) ? makeStateCarrier(result) : undefined;
  return readStateNews(namesOtherTask ? undefined : subject, state, carrier);
}

/** An unparsed notification counts as the result of an unknown task. Only notifications from servers get a carrier. */
export function readNotificationNews(
  { method, params, truncated }: TaskNotification,
  from: Side,
): TaskNews {
  if (truncated) {
    const carrier = from === "server" ? makeNotificationCarrier(method, {}) : undefined;
    return makeDeliveryNews(undefined, { result: { result: undefined }, carrier, isWhole: true });
  }
  const state = readTaskState(params);
  const isCarried = from === "server" && isObject(params);
  return readStateNews(
    state.taskId,
    state,
    isCarried ? makeNotificationCarrier(method, params) : undefined,
  );
}

/** Undefined if the message does not answer the call. */
export function readAnswerInCreated(
  { isAnswer, isTopLevel, ended: endResult, immediateText }: CreatedTask,
  { result, error }: TaskResult,
): Delivered | undefined {
  if (isAnswer || error !== undefined) {
    const hasMore = endResult !== undefined || immediateText !== undefined;
    const everything = { result: hasMore ? { result } : result, error };
    return { result: everything, carrier: plainCarrier, isWhole: true };
  }
  if (!endResult) return undefined;
  if (immediateText !== undefined) {
    return { result: { result: { result } }, carrier: plainCarrier, isWhole: true };
  }
  const carrier = isTopLevel && isObject(result) ? makeStateCarrier(result) : plainCarrier;
  return { result: endResult, carrier, isWhole: true };
}

function readStateNews(
  taskId: string | undefined,
  { status, ended: endResult }: TaskState,
  carrier: Carrier | undefined,
): TaskNews {
  if (endResult) return makeDeliveryNews(taskId, { result: endResult, carrier, isWhole: false });
  const event = status === "cancelled" ? "cancelled" : "status";
  return { taskId, event, isFailed: status === "failed" };
}

function makeDeliveryNews(taskId: string | undefined, delivered: Delivered): TaskNews {
  return { taskId, event: "delivered", isFailed: false, delivered };
}
