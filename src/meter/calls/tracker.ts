import { channelMethod, describeRequest, isCallMethod } from "#tokens/cost/describe-calls.ts";
import type { NotificationCount, Outcome } from "#records/record.ts";
import { oppositeSide, type Side, type Id, type SingleMessage } from "#wire/message.ts";
import {
  readCancelledId,
  readCreatedTask,
  readInputResponse,
  readInputRequest,
} from "#wire/pair-answers.ts";
import {
  type Arrival,
  mayHaveMethod,
  plainCarrier,
  Call,
  taskMethods,
  type Closed,
  type Transition,
} from "./call.ts";
import { type AnswerContent, closeAnswered, endCall, abandon } from "./outcome.ts";
import { OpenCalls, RoundTrips, closeInner, closePushed, makeRedelivery } from "./round-trips.ts";
import { TaskTracker } from "./task-tracker.ts";

export const notificationMethodsMax = 64;

type MutableCount = { -readonly [K in keyof NotificationCount]: NotificationCount[K] };

class NotificationCounts {
  readonly #counts = new Map<string, MutableCount>();

  add(from: Side, rawMethod: string, bytes: number): void {
    const isFull = this.#counts.size >= notificationMethodsMax;
    const isCounted = this.#counts.has(`${from} ${rawMethod}`);
    const method = isFull && !isCounted ? "(other)" : rawMethod;
    const counted = this.#counts.get(`${from} ${method}`) ?? { method, from, count: 0, bytes: 0 };
    this.#counts.set(`${from} ${method}`, counted);
    counted.count += 1;
    counted.bytes += bytes;
  }

  list(): NotificationCount[] {
    return [...this.#counts.values()];
  }
}

type Request = Extract<SingleMessage, { kind: "request" }>;
type Notification = Extract<SingleMessage, { kind: "notification" }>;
type Answer = Extract<SingleMessage, { kind: "result" | "error" }>;

type EndedExchange = { readonly exchange: number; readonly outcome: Outcome };

export class Tracker {
  readonly #calls = new OpenCalls();
  readonly #rounds: RoundTrips;
  readonly #tasks: TaskTracker;
  readonly #polls = new Set<Call>();
  readonly #notifications = new NotificationCounts();
  readonly opaqueLines = { client: 0, server: 0 };
  hasTasks = false; // the client may have created or polled a task: a result may arrive at any time
  mayBeProbe = true; // neither side has sent a request other than `server/discover`
  unknownAnswers = 0;
  lateAnswers = 0;

  readonly #mayReadChannels: () => boolean;

  constructor(hash: (text: string) => string, mayReadChannels: () => boolean = () => false) {
    this.#mayReadChannels = mayReadChannels;
    this.#rounds = new RoundTrips(hash);
    this.#tasks = new TaskTracker(hash);
  }

  get notifications(): NotificationCount[] {
    return this.#notifications.list();
  }

  take(message: SingleMessage, arrival: Arrival): readonly Transition[] {
    switch (message.kind) {
      case "request":
        return this.#takeRequest(message, arrival);
      case "notification":
        return this.#takeNotification(message, arrival);
      case "result":
      case "error":
        return this.#takeAnswer(message, arrival);
      case "opaque":
        if (message.reason !== "blank") this.opaqueLines[arrival.from] += message.lines ?? 1;
        if (message.mayHoldMessage !== true || arrival.from === "client") return none;
        return [this.#makeUnreadable(arrival)];
    }
  }

  // Returns the calls that end: one abandoned to make room, or `call` itself if it expects no answer.
  open(call: Call, atMs: number): readonly Closed[] {
    return call.id ? this.#open(call, call.id, atMs) : [endCall(call, "ok", atMs)];
  }

  end(atMs: number): readonly Closed[] {
    const open = [...this.#calls.drain(), ...this.#rounds.drain(), ...this.#tasks.drain()];
    return open.map((call) => endCall(call, call.outcomeAtEnd, atMs));
  }

  endExchange({ exchange, outcome }: EndedExchange, atMs: number): readonly Closed[] {
    return this.#calls.takeExchange(exchange).map((call) => {
      this.#polls.delete(call);
      const { outcomeAtEnd } = call;
      return endCall(call, outcomeAtEnd === "abandoned" ? outcome : outcomeAtEnd, atMs);
    });
  }

  // An unreadable line may be the answer to any open poll. Without polls, it may be a channel message.
  #makeUnreadable(arrival: Arrival): Transition {
    if (this.#polls.size === 0) {
      const isPushed = this.#mayReadChannels() && mayHaveMethod(channelMethod, arrival);
      const call = isPushed && closePushed(channelMethod, undefined, arrival).call;
      return { kind: "unreadable", arrival, ...(call && { redelivery: call }) };
    }
    const cause = { from: "client", poll: undefined, arrival } as const;
    return { kind: "unreadable", arrival, redelivery: makeRedelivery(undefined, cause) };
  }

  #takeRequest(request: Request, arrival: Arrival): readonly Transition[] {
    const { id, method, params } = request;
    if (method !== "server/discover") this.mayBeProbe = false;
    if (taskMethods.has(method)) this.#noteTask(arrival.from);
    const description = describeRequest(method, params);
    const mayResume = description.isCall && this.#rounds.suspendedCount > 0;
    const provided = mayResume ? readInputResponse(params) : undefined;
    const resumed = provided && this.#rounds.resume(method, description, provided);
    if (!resumed) {
      const call = new Call(request, description, arrival);
      const requested = { kind: "requested", call, arrival } as const;
      if (!taskMethods.has(method)) return [requested];
      return [...this.#tasks.takeRequest(method, params, arrival), requested];
    }
    resumed.call.addRequest(arrival.size);
    resumed.call.exchange = arrival.exchange;
    const { atMs } = arrival;
    const answered = resumed.answered.map((answer) => closeInner(answer, atMs));
    return [...answered, ...this.#open(resumed.call, id, atMs)];
  }

  #open(call: Call, id: Id, atMs: number): readonly Closed[] {
    call.latestId = id;
    if (call.from === "client" && taskMethods.has(call.method)) this.#polls.add(call);
    const displaced = this.#calls.forExchange(call.exchange).open(call.from, id, call);
    if (displaced) this.#polls.delete(displaced);
    return abandon(displaced, atMs);
  }

  #takeNotification(notification: Notification, arrival: Arrival): readonly Transition[] {
    const { method, params } = notification;
    const { from, size } = arrival;
    this.#notifications.add(from, method, size);
    if (method === "notifications/cancelled") {
      return this.#cancel(readCancelledId(params), arrival);
    }
    if (method.startsWith("notifications/tasks")) {
      // A client without tasks ignores task notifications.
      const isRead = from === "client" || this.hasTasks;
      return isRead ? this.#tasks.takeNotification(notification, arrival) : none;
    }
    if (from === "server" && method === channelMethod && this.#mayReadChannels()) {
      return [closePushed(method, notification.truncated ? undefined : (params ?? {}), arrival)];
    }
    // A call sent as a notification gets no answer, but its arguments cost tokens.
    if (from !== "client" || !isCallMethod(method)) return none;
    const call = new Call(notification, describeRequest(method, params), arrival);
    return [{ kind: "requested", call, arrival }];
  }

  #cancel(
    id: Id | undefined,
    { from, atMs, exchange }: Pick<Arrival, "from" | "atMs" | "exchange">,
  ): readonly Transition[] {
    if (!id) return none;
    const call = this.#calls.forExchange(exchange).cancel(from, id);
    if (call) this.#polls.delete(call);
    if (call) return [endCall(call, "cancelled", atMs)];
    // Stateless exchanges may use the same ids, so withdrawing this id could withdraw a request of another exchange.
    if (exchange?.isStateless === true) return none;
    return from === "client" ? [{ kind: "withdrawn", id }] : none;
  }

  #takeAnswer(answer: Answer, arrival: Arrival): readonly Transition[] {
    const asker = oppositeSide(arrival.from);
    const openCalls = this.#calls.forExchange(arrival.exchange);
    const found = answer.id && openCalls.close(asker, answer.id);
    if (!found) return this.#takeUnknownAnswer(answer, arrival);
    if (found.isLate) return this.#takeLateAnswer(arrival);
    const { call } = found;
    call.addAnswer(arrival.size, answer.truncated);
    this.#polls.delete(call);
    const isDoubted = answer.mayBeRejected === true || !found.isSameType;
    // The client may reject this answer and read the next one with the same id.
    if (isDoubted && call.id) openCalls.rememberDoubtful(call.from, call.id, call);
    if (taskMethods.has(call.method)) return this.#takePollAnswer(call, answer, arrival);
    // An unparsed answer may have created a task.
    if (answer.truncated && call.request.isCall) this.#noteTask(call.from);
    const transitions =
      answer.kind === "error"
        ? [closeAnswered(call, readContent(answer), arrival, plainCarrier)]
        : this.#takeResult(call, answer, arrival);
    return isDoubted ? transitions.map(markDoubted) : transitions;
  }

  #takeLateAnswer({ exchange }: Arrival): readonly Transition[] {
    this.lateAnswers += 1;
    return exchange ? [{ kind: "unexpected", isLate: true }] : none;
  }

  #takeUnknownAnswer(answer: Answer, arrival: Arrival): readonly Transition[] {
    this.unknownAnswers += 1;
    if (arrival.from === "client") return none;
    // Some clients take an error without an id as the answer to their pending request.
    if (!answer.id) return [this.#makeUnreadable(arrival)];
    const call = this.#calls.forExchange(arrival.exchange).findDoubtful("client", answer.id);
    if (!call) return [{ kind: "unexpected", isLate: false }];
    if (taskMethods.has(call.method)) {
      const closed = this.#tasks.takePollAnswer(call, readContent(answer), arrival);
      return closed.filter((ending) => ending.call !== call);
    }
    const closed = closeAnswered(call, readContent(answer), arrival, plainCarrier);
    return [{ ...closed, kind: "repeated" }];
  }

  #takeResult(
    call: Call,
    { result, error }: Extract<Answer, { kind: "result" }>,
    arrival: Arrival,
  ): readonly Transition[] {
    const answered = { kind: "answered", call, result } as const;
    const required = readInputRequest(result);
    if (required) {
      return [answered, ...abandon(this.#rounds.suspend(call, required, arrival), arrival.atMs)];
    }
    const created = call.request.isCall ? readCreatedTask(result) : undefined;
    if (!created) return [answered, closeAnswered(call, { result, error }, arrival, plainCarrier)];
    this.#noteTask(call.from);
    return [answered, ...this.#tasks.takeCreated(call, created, { result, error }, arrival)];
  }

  #takePollAnswer(poll: Call, answer: Answer, arrival: Arrival): readonly Transition[] {
    const closed = this.#tasks.takePollAnswer(poll, readContent(answer), arrival);
    // The answer to a poll can close a task's call. If we replace this answer, the replacement must have the poll's id.
    for (const { call } of closed) call.latestId = poll.latestId;
    if (answer.kind === "error") return closed;
    return [{ kind: "answered", call: poll, result: answer.result }, ...closed];
  }

  #noteTask(from: Side): void {
    if (from === "client") this.hasTasks = true;
  }
}

const none: readonly Transition[] = [];

function readContent(answer: Answer): AnswerContent {
  if (answer.kind === "error") return { error: answer.error ?? {} };
  return { result: answer.result, error: answer.error };
}

function markDoubted(transition: Transition): Transition {
  const { kind } = transition;
  return kind === "closed" || kind === "answered"
    ? { ...transition, mayBeRejected: true }
    : transition;
}
