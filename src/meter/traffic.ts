import { notificationMethodsMax, suspendedCallsMax } from "#limits.ts";
import { Exchanges, otherSide, type Side } from "#wire/exchange.ts";
import {
  cancelledId,
  createdTask,
  inputProvided,
  inputRequired,
  taskState,
  type TaskState,
} from "#wire/mcp.ts";
import type { Message, Single } from "#wire/message.ts";
import { Call, taskMethods } from "./call.ts";
import { outcomeOf, type Closing } from "./draft.ts";
import { askedOf } from "./parts.ts";
import type { NotificationCount } from "./record.ts";
import { RoundTrips } from "./round-trips.ts";

/** What the traffic brings about, told as it happens. */
export type TrafficEvents = {
  /** Somebody asks; comes before the answer in any case. */
  requested(method: string, params: unknown): void;
  /** An answer arrived, be it the last of its call or not. */
  answered(call: Call, result: unknown): void;
  /** A call is over. */
  closed(call: Call, closing: Omit<Closing, "endedMs">): void;
};

type Request = Extract<Single, { kind: "request" }>;
type Answer = Extract<Single, { kind: "result" | "error" }>;

/** Follows both directions of one connection and tells when a call is over, whatever it took. */
export class Traffic {
  readonly #events: TrafficEvents;
  readonly #exchanges = new Exchanges<Call>();
  readonly #rounds: RoundTrips;
  readonly #tasks = new Map<string, Call>();
  readonly #notifications = new Map<
    string,
    { -readonly [K in keyof NotificationCount]: NotificationCount[K] }
  >();
  readonly opaqueLines = { client: 0, server: 0 };
  readonly bytes = { client: 0, server: 0 };
  /** True as long as nobody asked anything but what there is. */
  isProbe = true;
  unknownAnswers = 0;
  lateAnswers = 0;

  constructor(events: TrafficEvents, hash: (text: string) => string) {
    this.#events = events;
    this.#rounds = new RoundTrips(hash, (call, closing) => events.closed(call, closing));
  }

  get notifications(): NotificationCount[] {
    return [...this.#notifications.values()];
  }

  /** Takes one line's message; `size` is the line's bytes. */
  take(from: Side, message: Message, size: number, nowMs: number): void {
    this.bytes[from] += size;
    if (message.kind !== "batch") {
      this.#takeSingle(from, message, size, nowMs);
      return;
    }
    const share = Math.floor(size / message.items.length);
    for (const item of message.items) this.#takeSingle(from, item, share, nowMs);
  }

  /** Gives up everything that is still open. */
  end(): void {
    for (const call of [
      ...this.#exchanges.drain(),
      ...this.#rounds.drain(),
      ...this.#tasks.values(),
    ]) {
      // A subscription stays open for as long as the connection does.
      const outcome = call.method === "subscriptions/listen" ? "ok" : "abandoned";
      this.#events.closed(call, { outcome });
    }
    this.#tasks.clear();
  }

  #takeSingle(from: Side, message: Single, size: number, nowMs: number): void {
    switch (message.kind) {
      case "request":
        this.#request(from, message, size, nowMs);
        return;
      case "notification":
        this.#notify(from, message.method, message.params, size);
        return;
      case "result":
      case "error":
        this.#answer(from, message, size, nowMs);
        return;
      case "opaque":
        if (message.reason !== "blank") this.opaqueLines[from] += 1;
        return;
    }
  }

  #request(from: Side, request: Request, size: number, nowMs: number): void {
    const { id, method, params } = request;
    this.#events.requested(method, params);
    if (method !== "server/discover") this.isProbe = false;
    const asked = askedOf(method, params);
    const provided = asked.isPriced ? inputProvided(params) : undefined;
    const resumed = provided && this.#rounds.resume(method, asked, provided);
    resumed?.addRequest(size);
    const call = resumed ?? new Call(from, request, asked, size, nowMs);
    const givenUp = this.#exchanges.open(from, id, call);
    if (givenUp) this.#events.closed(givenUp, { outcome: "abandoned" });
  }

  #notify(from: Side, method: string, params: unknown, size: number): void {
    this.#countNotification(from, method, size);
    if (method === "notifications/cancelled") {
      const id = cancelledId(params);
      const call = id && this.#exchanges.takeBack(from, id);
      if (call) this.#events.closed(call, { outcome: "cancelled" });
    } else if (method.startsWith("notifications/tasks")) {
      this.#taskMoved(taskState(params));
    }
  }

  #answer(from: Side, answer: Answer, size: number, nowMs: number): void {
    const found = answer.id && this.#exchanges.close(otherSide(from), answer.id);
    if (!found) {
      this.unknownAnswers += 1;
    } else if (found.late) {
      this.lateAnswers += 1;
    } else {
      found.call.addAnswer(size, answer.truncated);
      if (answer.kind === "error") this.#failed(found.call, answer.error, size);
      else this.#succeeded(found.call, answer.result, size, nowMs);
    }
  }

  #failed(call: Call, error: unknown, size: number): void {
    const task = call.method === "tasks/result" ? this.#takeTask(call.subject) : undefined;
    if (task) joinPoll(task, call, size);
    this.#events.closed(task ?? call, { outcome: "rpc_error", error: error ?? {} });
  }

  #succeeded(call: Call, result: unknown, size: number, nowMs: number): void {
    this.#events.answered(call, result);
    const required = inputRequired(result);
    const created = createdTask(result);
    if (required) {
      this.#rounds.suspend(call, required, size, nowMs);
    } else if (created && call.asked.isPriced) {
      this.#rememberTask(created.taskId, call);
    } else if (call.method === "tasks/result" && this.#tasks.has(call.subject ?? "")) {
      const task = this.#takeTask(call.subject) ?? call;
      joinPoll(task, call, size);
      this.#events.closed(task, { outcome: outcomeOf(task.method, result), result });
    } else {
      if (taskMethods.has(call.method)) this.#taskMoved(taskState(result));
      this.#events.closed(call, { outcome: outcomeOf(call.method, result), result });
    }
  }

  #rememberTask(taskId: string, call: Call): void {
    this.#tasks.set(taskId, call);
    if (this.#tasks.size <= suspendedCallsMax) return;
    const oldest = this.#takeTask(this.#tasks.keys().next().value);
    if (oldest) this.#events.closed(oldest, { outcome: "abandoned" });
  }

  /** A task of revision 2025-11-25 brings its result by `tasks/result`, one of 2026 in its state. */
  #taskMoved(state: TaskState | undefined): void {
    if (!state) return;
    if (state.status === "cancelled") {
      const call = this.#takeTask(state.taskId);
      if (call) this.#events.closed(call, { outcome: "cancelled" });
    } else if (state.error !== undefined) {
      const call = this.#takeTask(state.taskId);
      if (call) this.#events.closed(call, { outcome: "rpc_error", error: state.error });
    } else if (state.result !== undefined) {
      const call = this.#takeTask(state.taskId);
      const { result } = state;
      if (call) this.#events.closed(call, { outcome: outcomeOf(call.method, result), result });
    }
  }

  #takeTask(taskId: string | undefined): Call | undefined {
    if (taskId === undefined) return undefined;
    const call = this.#tasks.get(taskId);
    this.#tasks.delete(taskId);
    return call;
  }

  #countNotification(from: Side, rawMethod: string, size: number): void {
    const isKnown = this.#notifications.has(`${from} ${rawMethod}`);
    const isFull = this.#notifications.size >= notificationMethodsMax;
    const method = isKnown || !isFull ? rawMethod : "(other)";
    const key = `${from} ${method}`;
    const counted = this.#notifications.get(key) ?? { method, from, count: 0, bytes: 0 };
    counted.count += 1;
    counted.bytes += size;
    this.#notifications.set(key, counted);
  }
}

/** The poll that brought a task's result belongs to the task's call and has no record of its own. */
function joinPoll(task: Call, poll: Call, answerBytes: number): void {
  task.addRequest(poll.inputBytes);
  task.addAnswer(answerBytes, poll.truncated);
}
