import { countShown, pickShownError, pickShownRequest, pickShownResult } from "./counting.ts";
import type { OptionSet } from "./option-sets.ts";
import {
  at,
  isClear,
  type Json,
  listAt,
  readOwnLine,
  type Reading,
  readMessages,
  textAt,
} from "./reading.ts";
import type { Exchanged, Transcript } from "./transcript.ts";

export type ClientCall = {
  readonly method: string;
  readonly tool: string | null;
  readonly inputTokens: number;
  outputTokens: number | undefined;
  didRun: boolean;
};

type Open = { readonly request: Reading; readonly call: ClientCall | undefined };

type Answer = { readonly result: Json; readonly error: Json };

type Outcome = Answer | "cancelled";

export type ClientView = {
  readonly calls: readonly ClientCall[];
  readonly resumed: number;
  readonly nested: number;
  readonly redelivered: number;
};

export const pricedMethods: ReadonlySet<string> = new Set([
  "tools/call",
  "resources/read",
  "prompts/get",
]);
const taskMethods = new Set(["tasks/get", "tasks/result", "tasks/cancel"]);
const rejections = new Set<unknown>([-32_700, -32_600, -32_601, -32_602]);

export function replayForClient({ set, atClient }: Transcript): ClientView {
  const model = new ClientModel(set);
  for (const { by, bytes } of joinWholeLines(atClient)) {
    if (by === "client") model.takeSent(bytes);
    else model.takeReceived(bytes);
  }
  return model;
}

export function* joinWholeLines(exchanged: readonly Exchanged[]): Generator<Exchanged> {
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
  redelivered = 0;
  readonly #set: OptionSet;
  readonly #open = new Map<string | number, Open[]>();
  readonly #tasks = new Map<string, ClientCall>();
  readonly #waiting = new Set<string>();
  #hasTasks = false;
  readonly #suspended = new Map<
    string,
    { readonly call: ClientCall; readonly inputRequests: Json }
  >();

  constructor(set: OptionSet) {
    this.#set = set;
  }

  takeSent(line: Uint8Array): void {
    if (this.#set.isGating && isClear(Buffer.from(line), "client") === false) return;
    for (const message of readMessages(line)) {
      if (message.kind === "answer") continue;
      if (message.method === "notifications/cancelled") this.#cancel(message.params);
      if (taskMethods.has(message.method)) this.#hasTasks = true;
      const call = this.#findOrAddCall(message);
      const { id } = message;
      if (message.kind !== "request" || id === undefined) continue;
      this.#open.set(id, [...(this.#open.get(id) ?? []), { request: message, call }]);
    }
  }

  takeReceived(line: Uint8Array): void {
    const ownLine = readOwnLine(line);
    const isFree = ownLine !== undefined && ownLine.kind !== "cut";
    for (const message of readMessages(line)) {
      if (ownLine?.kind === "unrun" && message.kind === "answer" && this.#dropRefused(message))
        continue;
      if (message.kind === "notification") this.#takeTaskEnd(message, isFree);
      if (message.kind === "answer") this.#takeAnswer(message, isFree);
    }
  }

  #findOrAddCall({ kind, method, params }: Reading): ClientCall | undefined {
    if (!pricedMethods.has(method)) return undefined;
    // Only a request with an id continues another.
    const state = kind === "request" ? textAt(params, "requestState") : undefined;
    const suspended = state === undefined ? undefined : this.#suspended.get(state);
    if (state !== undefined && suspended !== undefined) {
      this.#suspended.delete(state);
      this.resumed += 1;
      this.nested += countAnsweredModels(suspended.inputRequests, at(params, "inputResponses"));
      return suspended.call;
    }
    const call = {
      method,
      tool: method === "tools/call" ? (textAt(params, "name") ?? "") : null,
      inputTokens: countShown(pickShownRequest(method, params), this.#set.counter),
      outputTokens: undefined,
      didRun: true,
    };
    this.calls.push(call);
    return call;
  }

  #cancel(params: Json): void {
    const id = at(params, "requestId");
    if (typeof id === "string" || typeof id === "number") this.#closeRequest(id);
  }

  #dropRefused({ id, result, error }: Reading): boolean {
    const queue = id === undefined ? undefined : this.#open.get(id);
    if (!queue || queue.length < 2) return false;
    // The refusal names the tool, and the client may have used the id again before it came.
    const text = JSON.stringify(result ?? error);
    const named = queue.findLastIndex(({ call }) => text.includes(`mcp-meter: ${call?.tool} was`));
    queue.splice(named < 0 ? -1 : named, 1);
    return true;
  }

  #closeRequest(id: string | number): Open | undefined {
    const queue = this.#open.get(id);
    if (queue && queue.length > 0) return queue.shift();
    const number = typeof id === "string" ? Number(id) : Number.NaN;
    return Number.isNaN(number) ? undefined : this.#open.get(number)?.shift();
  }

  #takeAnswer({ id, result, error }: Reading, isFree: boolean): void {
    const open = id === undefined ? undefined : this.#closeRequest(id);
    if (!open) return;
    const { call, request } = open;
    if (taskMethods.has(request.method)) {
      const isState = request.method !== "tasks/result" && error === undefined;
      const outcome = isState ? readOutcome(result) : { result, error };
      const isOnlyCancelled = request.method !== "tasks/cancel" || outcome === "cancelled";
      if (isOnlyCancelled) this.#finishTask(request.params, outcome, isFree);
    } else if (call && !isFree && !this.#continues(call, result)) {
      this.#deliver(call, { result, error });
    }
  }

  #finishTask(named: Json, outcome: Outcome | undefined, isFree: boolean): void {
    if (outcome === undefined) return;
    const taskId = textAt(named, "taskId") ?? "";
    const isExpected = this.#waiting.delete(taskId);
    if (outcome === "cancelled") return;
    if (!isExpected) this.redelivered += 1;
    const call = this.#tasks.get(taskId);
    if (call && !isFree) this.#deliver(call, outcome);
  }

  #continues(call: ClientCall, result: Json): boolean {
    if (listAt(result, "content").length > 0) return false;
    const type = textAt(result, "resultType");
    const state = textAt(result, "requestState");
    if (type === "input_required" && state !== undefined) {
      this.#suspended.set(state, { call, inputRequests: at(result, "inputRequests") });
      return true;
    }
    const taskId =
      textAt(result, "task", "taskId") ?? (type === "task" ? textAt(result, "taskId") : undefined);
    if (taskId === undefined) return false;
    this.#tasks.set(taskId, call);
    this.#hasTasks = true;
    this.#waiting.add(taskId);
    return true;
  }

  #takeTaskEnd({ method, params }: Reading, isFree: boolean): void {
    if (!method.startsWith("notifications/tasks") || !this.#hasTasks) return;
    this.#finishTask(params, readOutcome(params), isFree);
  }

  #deliver(call: ClientCall, { result, error }: Answer): void {
    const { counter, profile } = this.#set;
    const resultTokens =
      result === undefined ? 0 : countShown(pickShownResult(call.method, result, profile), counter);
    const errorTokens =
      error === undefined ? 0 : countShown(pickShownError(error, profile), counter);
    call.outputTokens = (call.outputTokens ?? 0) + Math.max(resultTokens, errorTokens);
    if (rejections.has(at(error, "code"))) call.didRun = false;
  }
}

function readOutcome(state: Json): Outcome | undefined {
  const [result, error] = [at(state, "result"), at(state, "error")];
  if (result !== undefined || error !== undefined) return { result, error };
  return textAt(state, "status") === "cancelled" ? "cancelled" : undefined;
}

function countAnsweredModels(inputRequests: Json, answers: Json): number {
  if (typeof inputRequests !== "object" || inputRequests === null) return 0;
  return Object.entries(inputRequests).filter(
    ([name, request]) =>
      at(request, "method") === "sampling/createMessage" && at(answers, name) !== undefined,
  ).length;
}
