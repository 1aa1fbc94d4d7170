import { Exchanges } from "#wire/exchange.ts";
import { otherSide, type Side } from "#wire/side.ts";
import { isObject } from "#wire/json.ts";
import { cancelledId } from "#wire/cancellation.ts";
import { createdTask, taskState, type TaskState } from "#wire/task.ts";
import { inputProvided, inputRequired } from "#wire/input-round.ts";
import type { Id, Message, SingleMessage } from "#wire/message.ts";
import { Call, taskMethods } from "./call.ts";
import { outcomeOf, type Closing } from "./outcome.ts";
import { asItIs, type Carrier, inNotification, inState } from "./carrier.ts";
import { describeRequest, isPriced } from "#cost/methods.ts";
import { NotificationCounts } from "./notification-counts.ts";
import type { NotificationCount } from "#records/record.ts";
import { RoundTrips } from "./round-trips.ts";
import { Tasks } from "./tasks.ts";

/** What the traffic brings about, told as it happens. */
export type TrafficEvents = {
  /** Somebody asks; comes before the answer in any case. */
  requested(method: string, params: unknown): void;
  /** An answer arrived, be it the last of its call or not. */
  answered(call: Call, result: unknown): void;
  /** A priced call of the client comes; false keeps it from the server for now or for good. */
  admitted(call: Call): boolean;
  /** A client takes a request back that is not open. */
  cancelled(id: Id): void;
  /**
   * A call is over. `carrier` is there when an answer of the line being taken ends it; false keeps that
   * answer from the client.
   */
  closed(call: Call, closing: Omit<Closing, "endedMs">, carrier?: Carrier): boolean;
};

/** What of a line may pass: a function chooses the elements of a batch. */
export type Passage = "all" | "nothing" | ((item: number) => boolean);

type Request = Extract<SingleMessage, { kind: "request" }>;
type Notification = Extract<SingleMessage, { kind: "notification" }>;
type Answer = Extract<SingleMessage, { kind: "result" | "error" }>;

/** Follows both directions of one connection and tells when a call is over, whatever it took. */
export class Traffic {
  readonly #events: TrafficEvents;
  readonly #exchanges = new Exchanges<Call>();
  readonly #rounds: RoundTrips;
  readonly #tasks = new Tasks();
  readonly #notifications = new NotificationCounts();
  readonly opaqueLines = { client: 0, server: 0 };
  readonly bytes = { client: 0, server: 0 };
  /** True as long as nobody asked anything but what there is. */
  isProbe = true;
  /** Index in its batch of the message being taken. */
  item: number | undefined;
  unknownAnswers = 0;
  lateAnswers = 0;

  constructor(events: TrafficEvents, hash: (text: string) => string) {
    this.#events = events;
    this.#rounds = new RoundTrips(hash, (call, closing) => void events.closed(call, closing));
  }

  get notifications(): NotificationCount[] {
    return this.#notifications.list();
  }

  /** Takes one line's message; `size` is the line's bytes. Returns what of it may pass. */
  take(from: Side, message: Message, size: number, nowMs: number): Passage {
    this.bytes[from] += size;
    if (message.kind !== "batch") {
      this.item = undefined;
      return this.#takeSingle(from, message, size, nowMs) ? "all" : "nothing";
    }
    const share = Math.floor(size / message.items.length);
    const passes = message.items.map((item, index) => {
      this.item = index;
      return this.#takeSingle(from, item, share, nowMs);
    });
    if (passes.every(Boolean)) return "all";
    return passes.some(Boolean) || message.left > 0 ? (index) => passes[index] ?? true : "nothing";
  }

  /** A request of the client that was kept from the server until now goes there. */
  resume(call: Call): void {
    if (call.id) this.#open("client", call.id, call);
    else this.#events.closed(call, { outcome: "ok" });
  }

  /** Gives up everything that is still open. */
  end(): void {
    const open = [...this.#exchanges.drain(), ...this.#rounds.drain(), ...this.#tasks.drain()];
    for (const call of open) this.#events.closed(call, { outcome: call.outcomeAtEnd });
  }

  /** False when the message must not pass. */
  #takeSingle(from: Side, message: SingleMessage, size: number, nowMs: number): boolean {
    switch (message.kind) {
      case "request":
        return this.#request(from, message, size, nowMs);
      case "notification":
        return this.#notify(from, message, size, nowMs);
      case "result":
      case "error":
        return this.#answer(from, message, size, nowMs);
      case "opaque":
        if (message.reason !== "blank") this.opaqueLines[from] += 1;
        return true;
    }
  }

  #request(from: Side, request: Request, size: number, nowMs: number): boolean {
    const { id, method, params } = request;
    this.#events.requested(method, params);
    if (method !== "server/discover") this.isProbe = false;
    const asked = describeRequest(method, params);
    const provided = asked.isPriced ? inputProvided(params) : undefined;
    const resumed = provided && this.#rounds.resume(method, asked, provided);
    resumed?.addRequest(size);
    const call = resumed ?? new Call(from, request, asked, size, nowMs);
    if (!resumed && asked.isPriced && from === "client" && !this.#events.admitted(call))
      return false;
    this.#open(from, id, call);
    return true;
  }

  #open(from: Side, id: Id, call: Call): void {
    const givenUp = this.#exchanges.open(from, id, call);
    if (givenUp) this.#events.closed(givenUp, { outcome: "abandoned" });
  }

  #notify(from: Side, notification: Notification, size: number, nowMs: number): boolean {
    const { method, params } = notification;
    this.#notifications.add(from, method, size);
    if (method === "notifications/cancelled") {
      this.#takeBack(from, cancelledId(params));
    } else if (method.startsWith("notifications/tasks")) {
      const isCarried = from === "server" && isObject(params);
      const carrier = isCarried ? inNotification(method, params) : undefined;
      return this.#taskMoved(taskState(params), carrier) ?? true;
    } else if (from === "client" && isPriced(method)) {
      // A call that wants no answer costs its arguments all the same.
      const call = new Call(from, notification, describeRequest(method, params), size, nowMs);
      if (!this.#events.admitted(call)) return false;
      this.#events.closed(call, { outcome: "ok" });
    }
    return true;
  }

  #takeBack(from: Side, id: Id | undefined): void {
    if (!id) return;
    const call = this.#exchanges.cancel(from, id);
    if (call) this.#events.closed(call, { outcome: "cancelled" });
    else if (from === "client") this.#events.cancelled(id);
  }

  #answer(from: Side, answer: Answer, size: number, nowMs: number): boolean {
    const found = answer.id && this.#exchanges.close(otherSide(from), answer.id);
    if (!found) {
      this.unknownAnswers += 1;
      return true;
    }
    if (found.late) {
      this.lateAnswers += 1;
      return true;
    }
    found.call.addAnswer(size, answer.truncated);
    return answer.kind === "error"
      ? this.#failed(found.call, answer.error, size)
      : this.#succeeded(found.call, answer.result, size, nowMs);
  }

  #failed(call: Call, error: unknown, size: number): boolean {
    const task = call.method === "tasks/result" ? this.#tasks.take(call.subject) : undefined;
    if (task) joinPoll(task, call, size);
    return this.#events.closed(task ?? call, { outcome: "rpc_error", error: error ?? {} }, asItIs);
  }

  #succeeded(call: Call, result: unknown, size: number, nowMs: number): boolean {
    this.#events.answered(call, result);
    const required = inputRequired(result);
    const created = createdTask(result);
    if (required) {
      this.#rounds.suspend(call, required, size, nowMs);
      return true;
    }
    if (created && call.asked.isPriced) {
      const givenUp = this.#tasks.remember(created.taskId, call);
      if (givenUp) this.#events.closed(givenUp, { outcome: "abandoned" });
      return true;
    }
    const polled = this.#polled(call, result);
    if (polled) {
      joinPoll(polled, call, size);
      const carrier = call.method === "tasks/result" ? asItIs : inState({ taskId: call.subject });
      const closing = { outcome: outcomeOf(polled.method, result), result };
      return this.#events.closed(polled, closing, carrier);
    }
    const isState = taskMethods.has(call.method);
    const carrier = isObject(result) ? inState(result) : undefined;
    const passes = isState ? this.#taskMoved(taskState(result), carrier) : undefined;
    const closing = { outcome: outcomeOf(call.method, result), result };
    return this.#events.closed(call, closing, isState ? undefined : asItIs) && (passes ?? true);
  }

  /** The call whose result a poll brings; a state that was not read is taken for one with a result. */
  #polled({ method, subject }: Call, result: unknown): Call | undefined {
    const isPolled = method === "tasks/result" || (method === "tasks/get" && result === undefined);
    return isPolled ? this.#tasks.take(subject) : undefined;
  }

  /**
   * A task of revision 2025-11-25 brings its result by `tasks/result`, one of 2026 in its state. `carrier`
   * puts an answer of ours into what the state came in. Undefined when nothing ended.
   */
  #taskMoved(state: TaskState | undefined, carrier: Carrier | undefined): boolean | undefined {
    if (!state) return undefined;
    const known = this.#tasks.get(state.taskId);
    if (known) known.hasFailed = state.status === "failed";
    const isOver =
      state.status === "cancelled" || state.error !== undefined || state.result !== undefined;
    const call = isOver ? this.#tasks.take(state.taskId) : undefined;
    if (!call) return undefined;
    if (state.status === "cancelled") return this.#events.closed(call, { outcome: "cancelled" });
    const { error, result } = state;
    if (error !== undefined) {
      return this.#events.closed(call, { outcome: "rpc_error", error }, carrier);
    }
    return this.#events.closed(call, { outcome: outcomeOf(call.method, result), result }, carrier);
  }
}

/** The poll that brought a task's result belongs to the task's call and has no record of its own. */
function joinPoll(task: Call, poll: Call, answerBytes: number): void {
  task.addRequest(poll.inputBytes);
  task.addAnswer(answerBytes, poll.truncated);
}
