import type { Id, Side } from "./message.ts";
import { hasAnswer } from "./parse-message.ts";
import { readMember, readString } from "./json.ts";

// Each direction has two lists of requests that may still get an answer: cancelled ones, and those whose first answer
// may have been rejected. This limits the length of each list.
export const lateAnswersMax = 1_024;

// For both directions together.
export const openCallsMax = 65_536;

type Open<T> = { readonly raw: string | undefined; readonly call: T; readonly order: number };

// An array if an id was used again before its first answer, which is rare.
type Queue<T> = Open<T> | Open<T>[];

type IdSpace<T> = Map<Id["value"], T>;

function makeIdSpaces<T>(): Readonly<Record<Side, IdSpace<T>>> {
  return { client: new Map(), server: new Map() };
}

type ClosedExchange<T> = {
  readonly call: T;
  readonly isLate: boolean; // the request had been cancelled
  readonly isSameType: boolean; // false if a string id answers a numeric id
};

/** An answer closes the oldest open request with its id. */
export class Exchanges<T> {
  readonly #openMax: number;
  readonly #open = makeIdSpaces<Queue<T>>();
  readonly #cancelled = makeIdSpaces<T>();
  readonly #doubtful = makeIdSpaces<T>();
  readonly #count = { client: 0, server: 0 };
  #order = 0;

  constructor(openMax: number = openCallsMax) {
    this.#openMax = openMax;
  }

  get size(): number {
    return this.#count.client + this.#count.server;
  }

  // Returns the call that is abandoned to make room, if any.
  open(from: Side, id: Id, call: T): T | undefined {
    this.#order += 1;
    this.#doubtful[from].delete(id.value);
    const entry = { raw: id.raw, call, order: this.#order };
    const queue = this.#open[from].get(id.value);
    if (Array.isArray(queue)) queue.push(entry);
    else this.#open[from].set(id.value, queue ? [queue, entry] : entry);
    this.#count[from] += 1;
    return this.size > this.#openMax ? this.#abandonOldest() : undefined;
  }

  // Prefers an id of the same type. A string may also answer a number, because SDK clients compare `Number(id)`.
  close(from: Side, id: Id): ClosedExchange<T> | undefined {
    const exact = this.#close(from, id, true);
    if (exact) return exact;
    const asNumber = parseNumericId(id);
    return asNumber && this.#close(from, asNumber, false);
  }

  // The requesting side may have rejected the answer to this call. If so, it still waits for an answer.
  rememberDoubtful(from: Side, { value }: Id, call: T): void {
    rememberNewest(this.#doubtful[from], value, call);
  }

  findDoubtful(from: Side, id: Id): T | undefined {
    const doubtful = this.#doubtful[from];
    const asNumber = parseNumericId(id);
    return doubtful.get(id.value) ?? (asNumber && doubtful.get(asNumber.value));
  }

  cancel(from: Side, id: Id): T | undefined {
    const call = this.#remove(from, id);
    if (call === undefined) return undefined;
    rememberNewest(this.#cancelled[from], id.value, call);
    return call;
  }

  remove(from: Side, matches: (call: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [id, queue] of this.#open[from]) {
      // Avoids making arrays: hundreds of requests may be waiting, and most do not match.
      if (!Array.isArray(queue) && !matches(queue.call)) continue;
      const entries = Array.isArray(queue) ? queue : [queue];
      const remaining = entries.filter(({ call }) => !matches(call));
      if (remaining.length === entries.length) continue;
      removed.push(...entries.flatMap(({ call }) => (matches(call) ? [call] : [])));
      if (remaining.length === 0) this.#open[from].delete(id);
      else this.#open[from].set(id, remaining);
    }
    this.#count[from] -= removed.length;
    return removed;
  }

  drain(): T[] {
    const queues = [...this.#open.client.values(), ...this.#open.server.values()];
    this.#open.client.clear();
    this.#open.server.clear();
    this.#count.client = 0;
    this.#count.server = 0;
    return queues
      .flat()
      .toSorted((a, b) => a.order - b.order)
      .map((entry) => entry.call);
  }

  #close(from: Side, id: Id, isSameType: boolean): ClosedExchange<T> | undefined {
    const call = this.#remove(from, id);
    if (call !== undefined) return { call, isLate: false, isSameType };
    const cancelled = this.#cancelled[from].get(id.value);
    if (cancelled === undefined) return undefined;
    this.#cancelled[from].delete(id.value);
    return { call: cancelled, isLate: true, isSameType };
  }

  #remove(from: Side, id: Id): T | undefined {
    const queue = this.#open[from].get(id.value);
    if (!queue) return undefined;
    this.#count[from] -= 1;
    if (!Array.isArray(queue)) {
      this.#open[from].delete(id.value);
      return queue.call;
    }
    // Numbers beyond 2^53 may parse to the same value; their text decides.
    const index = id.raw === undefined ? -1 : queue.findIndex((entry) => entry.raw === id.raw);
    const [entry] = index > 0 ? queue.splice(index, 1) : [queue.shift()];
    if (queue.length === 0) this.#open[from].delete(id.value);
    return entry?.call;
  }

  // Abandons a call of the side with more open requests, so that neither side can crowd out the other.
  #abandonOldest(): T | undefined {
    const side = this.#count.server > this.#count.client ? "server" : "client";
    return this.#remove(side, { value: findFirstKey(this.#open[side]) });
  }
}

function rememberNewest<V>(space: IdSpace<V>, id: Id["value"], entry: V): void {
  space.set(id, entry);
  if (space.size > lateAnswersMax) space.delete(findFirstKey(space));
}

function findFirstKey<V>(space: IdSpace<V>): Id["value"] {
  return space.keys().next().value ?? "";
}

function parseNumericId({ value }: Id): Id | undefined {
  if (typeof value !== "string") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : { value: number };
}

// One half of a round trip: the server's input requests, or the client's responses to them.
export type InputHalf = { readonly requestState: string | undefined; readonly entries: unknown };

export function readInputRequest(result: unknown): InputHalf | undefined {
  if (readString(result, "resultType") !== "input_required" || hasAnswer(result)) return undefined;
  return {
    requestState: readString(result, "requestState"),
    entries: readMember(result, "inputRequests"),
  };
}

export function readInputResponse(params: unknown): InputHalf | undefined {
  const requestState = readString(params, "requestState");
  const entries = readMember(params, "inputResponses");
  const isAbsent = requestState === undefined && entries === undefined;
  return isAbsent ? undefined : { requestState, entries };
}

export function readCancelledId(params: unknown): Id | undefined {
  const value = readMember(params, "requestId");
  return typeof value === "string" || typeof value === "number" ? { value } : undefined;
}

export type TaskResult = { readonly result?: unknown; readonly error?: unknown };

export type TaskState = {
  readonly taskId: string | undefined;
  readonly status: string | undefined;
  readonly ended: TaskResult | undefined;
};

export type CreatedTask = TaskState & {
  readonly taskId: string;
  readonly isAnswer: boolean; // the result also has content, which clients of other revisions read
  readonly isTopLevel: boolean; // the task is the result itself (2026), not the member `task` (2025-11-25)
  readonly immediateText: string | undefined; // read by the model until the task ends (2025-11-25)
};

const immediateKey = "io.modelcontextprotocol/model-immediate-response";

export function readCreatedTask(result: unknown): CreatedTask | undefined {
  const isTopLevel = readString(result, "resultType") === "task";
  const state = readTaskState(isTopLevel ? result : readMember(result, "task"));
  const { taskId } = state;
  if (taskId === undefined) return undefined;
  const immediateText = readString(result, "_meta", immediateKey);
  return { ...state, taskId, isAnswer: hasAnswer(result), isTopLevel, immediateText };
}

// A null member counts as absent.
export function readTaskState(task: unknown): TaskState {
  return {
    taskId: readString(task, "taskId"),
    status: readString(task, "status"),
    ended: makeTaskResult(
      readMember(task, "result") ?? undefined,
      readMember(task, "error") ?? undefined,
    ),
  };
}

function makeTaskResult(result: unknown, error: unknown): TaskResult | undefined {
  if (error === undefined) return result === undefined ? undefined : { result };
  return result === undefined ? { error } : { result, error };
}
