import { countShown, shownError, shownRequest, shownResult } from "./counting.ts";
import type { OptionSet } from "./option-sets.ts";
import { at, type Json, listAt, type Reading, readMessages, textAt } from "./reading.ts";
import { ownLine } from "./refusal.ts";
import type { Exchanged, Transcript } from "./transcript.ts";

/** A call as its client experienced it. */
export type ClientCall = {
  readonly method: string;
  /** Null where there is no tool. */
  readonly tool: string | null;
  readonly inputTokens: number;
  /** Tokens of the answers that were delivered; undefined without one. */
  outputTokens: number | undefined;
  /** False when the server rejected it: its answer is an error of JSON-RPC itself. */
  didRun: boolean;
};

/** A request that waits for its answer, and the call that this answer belongs to. */
type Open = { readonly request: Reading; readonly call: ClientCall | undefined };

/** The calls of a session, by the rules of today's client libraries. */
export type ClientView = {
  readonly calls: readonly ClientCall[];
  /** Requests that continued a call of an earlier request. */
  readonly resumed: number;
  /** Requests of a model inside answers, which the client has answered. */
  readonly nested: number;
};

const pricedMethods = new Set(["tools/call", "resources/read", "prompts/get"]);
const rejections = new Set<unknown>([-32_700, -32_600, -32_601, -32_602]);

/** Follows a session as its client: which calls were made, and which tokens were delivered for them. */
export function viewOfClient({ set, atClient }: Transcript): ClientView {
  const model = new ClientModel(set);
  for (const { by, bytes } of wholeLines(atClient)) {
    if (by === "client") model.sent(bytes);
    else model.got(bytes);
  }
  return model;
}

/** The lines of both directions in the order in which they became whole. */
export function* wholeLines(exchanged: readonly Exchanged[]): Generator<Exchanged> {
  const rest = { client: Buffer.alloc(0), server: Buffer.alloc(0) };
  for (const { by, bytes } of exchanged) {
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      yield { by, bytes: Buffer.concat([rest[by], bytes.subarray(from, end + 1)]) };
      rest[by] = Buffer.alloc(0);
      from = end + 1;
    }
    rest[by] = Buffer.concat([rest[by], bytes.subarray(from)]);
  }
  for (const by of ["client", "server"] as const) {
    if (rest[by].length > 0) yield { by, bytes: rest[by] };
  }
}

class ClientModel implements ClientView {
  readonly calls: ClientCall[] = [];
  resumed = 0;
  nested = 0;
  readonly #set: OptionSet;
  readonly #open = new Map<string | number, Open[]>();
  readonly #tasks = new Map<string, ClientCall>();
  readonly #suspended = new Map<string, { readonly call: ClientCall; readonly asked: Json }>();

  constructor(set: OptionSet) {
    this.#set = set;
  }

  sent(line: Uint8Array): void {
    for (const message of readMessages(line)) {
      if (message.kind === "answer") continue;
      if (message.method === "notifications/cancelled") this.#cancel(message.params);
      const call = this.#callFor(message);
      const { id } = message;
      if (message.kind !== "request" || id === undefined) continue;
      this.#open.set(id, [...(this.#open.get(id) ?? []), { request: message, call }]);
    }
  }

  got(line: Uint8Array): void {
    const own = ownLine(line);
    const isFree = own !== undefined && own.kind !== "cut";
    for (const message of readMessages(line)) {
      if (message.kind === "notification") this.#taskEnded(message, isFree);
      if (message.kind === "answer") this.#answered(message, isFree);
    }
  }

  /** The call that a request begins or continues; undefined for one that costs a model nothing. */
  #callFor({ kind, method, params }: Reading): ClientCall | undefined {
    if (method === "tasks/get" || method === "tasks/result") {
      return this.#tasks.get(textAt(params, "taskId") ?? "");
    }
    if (!pricedMethods.has(method)) return undefined;
    // Only a request that wants an answer continues another.
    const state = kind === "request" ? textAt(params, "requestState") : undefined;
    const suspended = state === undefined ? undefined : this.#suspended.get(state);
    if (state !== undefined && suspended !== undefined) {
      this.#suspended.delete(state);
      this.resumed += 1;
      this.nested += answeredModels(suspended.asked, at(params, "inputResponses"));
      return suspended.call;
    }
    const call = {
      method,
      tool: method === "tools/call" ? (textAt(params, "name") ?? "") : null,
      inputTokens: countShown(shownRequest(method, params), this.#set.counter),
      outputTokens: undefined,
      didRun: true,
    };
    this.calls.push(call);
    return call;
  }

  #cancel(params: Json): void {
    const id = at(params, "requestId");
    if (typeof id === "string" || typeof id === "number") this.#take(id);
  }

  /** The request with that id; a text that reads as a number also names the request with the number. */
  #take(id: string | number): Open | undefined {
    const queue = this.#open.get(id);
    if (queue && queue.length > 0) return queue.shift();
    const number = typeof id === "string" ? Number(id) : Number.NaN;
    return Number.isNaN(number) ? undefined : this.#open.get(number)?.shift();
  }

  #answered({ id, result, error }: Reading, isFree: boolean): void {
    const open = id === undefined ? undefined : this.#take(id);
    if (!open?.call || isFree) return;
    const { call, request } = open;
    if (this.#continues(call, result)) return;
    if (request.method === "tasks/get") {
      const state = { result: at(result, "result"), error: at(result, "error") };
      if (state.result !== undefined || state.error !== undefined) this.#deliver(call, state);
      return;
    }
    this.#deliver(call, { result, error });
  }

  /** True for an answer that only promises another one: a request for input, or a task. */
  #continues(call: ClientCall, result: Json): boolean {
    if (listAt(result, "content").length > 0) return false;
    const type = textAt(result, "resultType");
    const state = textAt(result, "requestState");
    if (type === "input_required" && state !== undefined) {
      this.#suspended.set(state, { call, asked: at(result, "inputRequests") });
      return true;
    }
    const taskId =
      textAt(result, "task", "taskId") ?? (type === "task" ? textAt(result, "taskId") : undefined);
    if (taskId === undefined) return false;
    this.#tasks.set(taskId, call);
    return true;
  }

  #taskEnded({ method, params }: Reading, isFree: boolean): void {
    const call = this.#tasks.get(textAt(params, "taskId") ?? "");
    const state = { result: at(params, "result"), error: at(params, "error") };
    if (!call || isFree || !method.startsWith("notifications/tasks")) return;
    if (state.result !== undefined || state.error !== undefined) this.#deliver(call, state);
  }

  #deliver(
    call: ClientCall,
    { result, error }: { readonly result: Json; readonly error: Json },
  ): void {
    const { counter, profile } = this.#set;
    const ofResult =
      result === undefined ? 0 : countShown(shownResult(call.method, result, profile), counter);
    const ofError = error === undefined ? 0 : countShown(shownError(error), counter);
    call.outputTokens = (call.outputTokens ?? 0) + Math.max(ofResult, ofError);
    if (rejections.has(at(error, "code"))) call.didRun = false;
  }
}

/** How many of the inputs that a client gives are answers of its model. */
function answeredModels(asked: Json, answers: Json): number {
  if (typeof asked !== "object" || asked === null) return 0;
  return Object.entries(asked).filter(
    ([name, request]) =>
      at(request, "method") === "sampling/createMessage" && at(answers, name) !== undefined,
  ).length;
}
