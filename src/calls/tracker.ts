import { describeRequest, isPriced } from "#cost/methods.ts";
import type { NotificationCount, Outcome } from "#records/record.ts";
import { Exchanges } from "#wire/exchange.ts";
import { otherSide, type Side } from "#wire/side.ts";
import { isObject } from "#wire/json.ts";
import { cancelledId } from "#wire/cancellation.ts";
import { createdTask, taskState, type TaskState } from "#wire/task.ts";
import { inputProvided, inputRequired } from "#wire/input-round.ts";
import type { Id, SingleMessage } from "#wire/message.ts";
import type { Arrival } from "./arrival.ts";
import { Call, taskMethods } from "./call.ts";
import { asItIs, type Carrier, inNotification, inState } from "./carrier.ts";
import { NotificationCounts } from "./notification-counts.ts";
import { outcomeOfResult } from "./outcome.ts";
import { RoundTrips } from "./round-trips.ts";
import { Tasks } from "./tasks.ts";
import type { Closed, Transition } from "./transition.ts";

type Request = Extract<SingleMessage, { kind: "request" }>;
type Notification = Extract<SingleMessage, { kind: "notification" }>;
type Answer = Extract<SingleMessage, { kind: "result" | "error" }>;

/** Follows both directions of one connection: messages in, the life of calls out. */
export class Tracker {
  readonly #exchanges = new Exchanges<Call>();
  readonly #rounds: RoundTrips;
  readonly #tasks = new Tasks();
  readonly #notifications = new NotificationCounts();
  /** Lines that are not JSON-RPC, blank ones aside. */
  readonly opaqueLines = { client: 0, server: 0 };
  /** True as long as only `server/discover` was requested. */
  isProbe = true;
  unknownAnswers = 0;
  lateAnswers = 0;

  constructor(hash: (text: string) => string) {
    this.#rounds = new RoundTrips(hash);
  }

  get notifications(): NotificationCount[] {
    return this.#notifications.list();
  }

  /** Takes one message and returns its consequences, in order. */
  take(message: SingleMessage, arrival: Arrival): readonly Transition[] {
    switch (message.kind) {
      case "request":
        return this.#request(message, arrival);
      case "notification":
        return this.#notification(message, arrival);
      case "result":
      case "error":
        return this.#answer(message, arrival);
      case "opaque":
        if (message.reason !== "blank") this.opaqueLines[arrival.from] += 1;
        if (message.isFramed !== true || arrival.from === "client") return none;
        return [{ kind: "unreadable", arrival }];
    }
  }

  /**
   * A requested call is forwarded to the other side and waits for its answer; a notification is over at once.
   * Returns the call that was given up to make room.
   */
  open(call: Call, atMs: number): readonly Closed[] {
    return call.id ? this.#open(call, call.id, atMs) : [ended(call, "ok", atMs)];
  }

  /** Gives up everything that is still open. */
  end(atMs: number): readonly Closed[] {
    const open = [...this.#exchanges.drain(), ...this.#rounds.drain(), ...this.#tasks.drain()];
    return open.map((call) => ended(call, call.outcomeAtEnd, atMs));
  }

  #request(request: Request, arrival: Arrival): readonly Transition[] {
    const { id, method, params } = request;
    if (method !== "server/discover") this.isProbe = false;
    const asked = describeRequest(method, params);
    const mayResume = asked.isPriced && !this.#rounds.isEmpty;
    const provided = mayResume ? inputProvided(params) : undefined;
    const resumed = provided && this.#rounds.resume(method, asked, provided);
    if (!resumed) return [{ kind: "requested", call: new Call(request, asked, arrival), arrival }];
    resumed.call.addRequest(arrival.size);
    const { atMs } = arrival;
    const answered = resumed.answered.map(({ call, result }): Closed => {
      return { kind: "closed", call, closing: { outcome: "ok", result, endedMs: atMs } };
    });
    return [...answered, ...this.#open(resumed.call, id, atMs)];
  }

  #open(call: Call, id: Id, atMs: number): readonly Closed[] {
    return given(this.#exchanges.open(call.from, id, call), atMs);
  }

  #notification(notification: Notification, arrival: Arrival): readonly Transition[] {
    const { method, params } = notification;
    const { from, size } = arrival;
    this.#notifications.add(from, method, size);
    if (method === "notifications/cancelled") {
      return this.#cancel(from, cancelledId(params), arrival.atMs);
    }
    if (method.startsWith("notifications/tasks")) {
      const isCarried = from === "server" && isObject(params);
      const carrier = isCarried ? inNotification(method, params) : undefined;
      return this.#advanceTask(taskState(params), carrier, arrival);
    }
    // A call that wants no answer costs its arguments all the same.
    return from === "client" && isPriced(method)
      ? [
          {
            kind: "requested",
            call: new Call(notification, describeRequest(method, params), arrival),
            arrival,
          },
        ]
      : none;
  }

  #cancel(from: Side, id: Id | undefined, atMs: number): readonly Transition[] {
    if (!id) return none;
    const call = this.#exchanges.cancel(from, id);
    if (call) return [ended(call, "cancelled", atMs)];
    return from === "client" ? [{ kind: "withdrawn", id }] : none;
  }

  #answer(answer: Answer, arrival: Arrival): readonly Transition[] {
    const asker = otherSide(arrival.from);
    const found = answer.id && this.#exchanges.close(asker, answer.id);
    if (!found) {
      this.unknownAnswers += 1;
      return this.#repeated(answer, arrival);
    }
    if (found.late) {
      this.lateAnswers += 1;
      return none;
    }
    const { call } = found;
    call.addAnswer(arrival.size, answer.truncated);
    const transitions =
      answer.kind === "error"
        ? [this.#failed(call, answer.error, arrival)]
        : this.#succeeded(call, answer, arrival);
    return answer.mayBeRejected === true || !found.isSameType
      ? this.#doubt(call, transitions)
      : transitions;
  }

  /** The client may reject the answer that had these consequences: the next one with its id counts as well. */
  #doubt(call: Call, transitions: readonly Transition[]): readonly Transition[] {
    const last = transitions.findLast((transition) => transition.kind === "closed");
    const charged = last?.kind === "closed" ? last.call : call;
    if (call.id) this.#exchanges.doubt(call.from, call.id, charged);
    return transitions.map((transition) =>
      transition.kind === "closed" ? { ...transition, mayBeRejected: true } : transition,
    );
  }

  #repeated(answer: Answer, arrival: Arrival): readonly Transition[] {
    const call = answer.id && this.#exchanges.doubted(otherSide(arrival.from), answer.id);
    if (!call) return none;
    const closed = answeredWith(call, closingOf(answer), arrival, asItIs);
    return [{ ...closed, kind: "repeated" }];
  }

  #failed(call: Call, error: unknown, arrival: Arrival): Closed {
    const task = call.method === "tasks/result" ? this.#tasks.take(call.subject) : undefined;
    if (task) joinPoll(task, call, arrival.size);
    return answeredWith(task ?? call, { error: error ?? {} }, arrival, asItIs);
  }

  #succeeded(
    call: Call,
    { result, error }: Extract<Answer, { kind: "result" }>,
    arrival: Arrival,
  ): readonly Transition[] {
    const answered = { kind: "answered", call, result } as const;
    const required = inputRequired(result);
    if (required) {
      return [answered, ...given(this.#rounds.suspend(call, required, arrival), arrival.atMs)];
    }
    const created = createdTask(result);
    if (created && call.asked.isPriced) {
      return [answered, ...given(this.#tasks.remember(created.taskId, call), arrival.atMs)];
    }
    const polled = this.#polled(call, result);
    if (polled) {
      joinPoll(polled, call, arrival.size);
      const carrier = call.method === "tasks/result" ? asItIs : inState({ taskId: call.subject });
      return [answered, answeredWith(polled, { result, error }, arrival, carrier)];
    }
    if (!taskMethods.has(call.method)) {
      return [answered, answeredWith(call, { result, error }, arrival, asItIs)];
    }
    const carrier = isObject(result) ? inState(result) : undefined;
    const advanced = this.#advanceTask(taskState(result), carrier, arrival);
    return [answered, ...advanced, answeredWith(call, { result }, arrival)];
  }

  /** The call whose result a poll brings; a state that could not be parsed is taken for one with a result. */
  #polled({ method, subject }: Call, result: unknown): Call | undefined {
    const isPolled = method === "tasks/result" || (method === "tasks/get" && result === undefined);
    return isPolled ? this.#tasks.take(subject) : undefined;
  }

  /**
   * A task of revision 2025-11-25 brings its result by `tasks/result`, one of 2026 in its state. `carrier`
   * puts our answer in the place of the state.
   */
  #advanceTask(
    state: TaskState | undefined,
    carrier: Carrier | undefined,
    arrival: Arrival,
  ): readonly Closed[] {
    if (!state) return [];
    const { taskId, status, result, error } = state;
    const known = this.#tasks.get(taskId);
    if (known) known.hasFailed = status === "failed";
    const isOver = status === "cancelled" || error !== undefined || result !== undefined;
    const call = isOver ? this.#tasks.take(taskId) : undefined;
    if (!call) return [];
    if (status === "cancelled") return [ended(call, "cancelled", arrival.atMs)];
    return [answeredWith(call, error === undefined ? { result } : { error }, arrival, carrier)];
  }
}

const none: readonly Transition[] = [];

/** A call that is over without an answer. */
function ended(call: Call, outcome: Outcome, atMs: number): Closed {
  return { kind: "closed", call, closing: { outcome, endedMs: atMs } };
}

/** The same for a call that had to make room; none when none had to. */
function given(call: Call | undefined, atMs: number): readonly Closed[] {
  return call ? [ended(call, "abandoned", atMs)] : [];
}

/** The part of an answer that has a price: a result, an error, or both where the message has both. */
type Content = { readonly result?: unknown; readonly error?: unknown };

/** An error without a value is still one. */
function closingOf(answer: Answer): Content {
  if (answer.kind === "error") return { error: answer.error ?? {} };
  return { result: answer.result, error: answer.error };
}

/** A call that an answer ends; without a carrier that answer cannot be replaced. */
function answeredWith(call: Call, content: Content, arrival: Arrival, carrier?: Carrier): Closed {
  const { result, error } = content;
  const isError = "result" in content ? false : error !== undefined;
  const outcome = isError ? "rpc_error" : outcomeOfResult(call.method, result);
  const closing = {
    ...("result" in content ? { result } : {}),
    ...(error === undefined ? {} : { error }),
    outcome,
    endedMs: arrival.atMs,
  };
  const replaceable = carrier ? { answer: { arrival, carrier } } : {};
  return { kind: "closed", call, closing, ...replaceable };
}

/** The poll that brought a task's result belongs to the task's call and has no record of its own. */
function joinPoll(task: Call, poll: Call, answerBytes: number): void {
  task.addRequest(poll.readChunks);
  task.addAnswer(answerBytes, poll.truncated);
}
