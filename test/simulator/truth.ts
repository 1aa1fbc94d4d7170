import { nameCharactersMax } from "#kit/limits.ts";
import type { Outcome } from "#records/record.ts";
import type { Side } from "#wire/message.ts";
import { readArray, isObject, readMember, readString, nestingMax } from "#wire/json.ts";

export type Expected = {
  readonly type: "call" | "protocol";
  readonly method: string;
  readonly tool: string | null;
  readonly outcome: Outcome;
};

type Call = Omit<Expected, "outcome"> & { readonly words: string };
type Open = { readonly from: Side; readonly id: unknown; readonly call: Call };

const priced = new Set(["tools/call", "prompts/get", "resources/read", "sampling/createMessage"]);
const named = new Set(["tools/call", "prompts/get"]);

/** What happened, kept in the plainest way: lists that are searched from the front. */
export class Truth {
  readonly ended: Expected[] = [];
  readonly opaque = { client: 0, server: 0 };
  readonly bytes = { client: 0, server: 0 };
  notifications = 0;
  late = 0;
  unknown = 0;
  hasBegun = false;
  isProbe = true;
  /** True once the client may have a task: before, it reads no news of one. */
  #mayHaveTask = false;
  readonly #open: Open[] = [];
  readonly #taken: Open[] = [];
  readonly #waiting: { readonly key: string; readonly call: Call }[] = [];
  readonly #tasks: { readonly id: string; readonly call: Call }[] = [];
  readonly #over: { readonly id: string; readonly call: Call }[] = [];

  hear(from: Side, bytes: Uint8Array, observedMax: number): void {
    this.bytes[from] += bytes.length;
    const text = new TextDecoder().decode(bytes);
    const value = parsed(text);
    const isLong = bytes.length > observedMax;
    if (isLong || depthOf(text) > nestingMax) {
      this.#hearFrame(from, value, isLong, text);
    } else if (Array.isArray(value) && value.some(isRpc)) {
      this.hasBegun = true;
      for (const item of value) this.#hearOne(from, item);
    } else if (text.trim() !== "") {
      this.#hearOne(from, value);
    }
  }

  end(): void {
    const open = [...this.#open.map(({ call }) => call), ...this.#waiting.map(({ call }) => call)];
    for (const call of [...open, ...this.#tasks.map((task) => task.call)]) {
      this.#close(call, call.method === "subscriptions/listen" ? "ok" : "abandoned");
    }
  }

  #hearFrame(from: Side, value: unknown, isLong: boolean, text: string): void {
    const isBlank = !isLong && text.trim() === "";
    if (!isObject(value)) {
      if (!isBlank) this.opaque[from] += 1;
      return;
    }
    const { params: _, ...frame } = value;
    const bare = {
      ...frame,
      ...("result" in frame ? { result: undefined } : {}),
      ...("error" in frame ? { error: undefined } : {}),
    };
    this.#hearOne(from, bare);
  }

  #hearOne(from: Side, value: unknown): void {
    if (!isObject(value) || !isRpc(value)) {
      this.opaque[from] += 1;
      return;
    }
    this.hasBegun = true;
    const { id, method } = value;
    if (typeof method === "string" && id !== undefined && id !== null)
      this.#request(from, value, method);
    else if (typeof method === "string") this.#notification(from, method, value["params"]);
    else this.#answer(from === "client" ? "server" : "client", id, value);
  }

  #request(from: Side, { id, params }: { readonly [key: string]: unknown }, method: string): void {
    if (method !== "server/discover") this.isProbe = false;
    if (from === "client" && method.startsWith("tasks/")) this.#mayHaveTask = true;
    const resumed = priced.has(method) ? this.#resume(method, params) : undefined;
    this.#open.push({ from, id, call: resumed ?? callOf(method, params) });
  }

  #resume(method: string, params: unknown): Call | undefined {
    const state = readString(params, "requestState");
    if (state === undefined && readMember(params, "inputResponses") === undefined) return undefined;
    const key = state ?? callOf(method, params).words;
    return taken(this.#waiting, (waiting) => waiting.key === key)?.call;
  }

  #notification(from: Side, method: string, params: unknown): void {
    this.notifications += 1;
    if (method === "notifications/cancelled") {
      const requestId = readMember(params, "requestId");
      const found = taken(this.#open, (open) => open.from === from && open.id === requestId);
      if (!found) return;
      taken(this.#taken, (open) => open.from === from && open.id === requestId);
      this.#taken.push(found);
      this.#close(found.call, "cancelled");
    } else if (method.startsWith("notifications/tasks") && this.#mayHaveTask) {
      this.#taskMoved(params);
    }
  }

  #answer(asker: Side, id: unknown, message: { readonly [key: string]: unknown }): void {
    const mine = (open: Open): boolean => open.from === asker && open.id === id;
    // SDK clients compare the number that a text id reads as.
    const alike = (open: Open): boolean =>
      open.from === asker && typeof id === "string" && open.id === Number(id);
    const isLate = (): boolean => taken(this.#taken, mine) !== undefined;
    const exact = taken(this.#open, mine);
    const found = exact ?? (isLate() ? "late" : taken(this.#open, alike));
    if (found === "late" || !found) {
      if (found === "late" || taken(this.#taken, alike)) this.late += 1;
      else this.unknown += 1;
      return;
    }
    const isUnread = message["result"] === undefined && message["error"] === undefined;
    if (asker === "client" && found.call.type === "call" && isUnread) this.#mayHaveTask = true;
    this.#answered(found.call, message);
  }

  #answered(call: Call, message: { readonly [key: string]: unknown }): void {
    const { result } = message;
    const isPoll = call.method === "tasks/get" || call.method === "tasks/result";
    if ("error" in message && isPoll) this.#deliver(call.words, undefined, call.method);
    else if ("error" in message) this.#close(call, "rpc_error");
    else if (call.method === "tasks/result" || (isPoll && result === undefined)) {
      this.#deliver(call.words, { result });
    } else this.#answerCall(call, result);
  }

  #answerCall(call: Call, result: unknown): void {
    if (readString(result, "resultType") === "input_required") this.#suspend(call, result);
    else if (call.type === "call" && createdTask(result) !== undefined) {
      this.#tasks.push({ id: createdTask(result) ?? "", call });
      this.#mayHaveTask = true;
    } else {
      if (call.method === "tasks/get") this.#taskMoved(result);
      this.#close(call, outcomeOf(call, result));
    }
  }

  /** A result of a task, or an error where there is none: each one that is delivered is recorded. */
  #deliver(id: string, answer: { readonly result: unknown } | undefined, poll = ""): void {
    const waiting = taken(this.#tasks, (task) => task.id === id);
    if (waiting) this.#over.push(waiting);
    const known = waiting ?? this.#over.find((task) => task.id === id);
    const stranger = { type: "call", method: "tools/call", tool: null, words: "" } as const;
    const owner = known?.call ?? stranger;
    // A rejected poll that no call waits for keeps its own method.
    const call = !waiting && poll === "tasks/get" ? { ...owner, method: poll } : owner;
    this.#close(call, answer ? outcomeOf(call, answer.result) : "rpc_error");
  }

  #suspend(call: Call, result: unknown): void {
    this.#waiting.push({ key: readString(result, "requestState") ?? call.words, call });
  }

  #taskMoved(state: unknown): void {
    const id = readString(state, "taskId") ?? "";
    const result = readMember(state, "result");
    if (readMember(state, "error") !== undefined) this.#deliver(id, undefined);
    else if (result !== undefined) this.#deliver(id, { result });
    else if (readString(state, "status") === "cancelled") {
      const task = taken(this.#tasks, (one) => one.id === id);
      if (task) this.#over.push(task);
      if (task) this.#close(task.call, "cancelled");
    }
  }

  #close({ type, method, tool }: Call, outcome: Outcome): void {
    this.ended.push({ type, method, tool, outcome });
  }
}

function callOf(method: string, params: unknown): Call {
  const tool = named.has(method)
    ? (readString(params, "name") ?? "").slice(0, nameCharactersMax)
    : null;
  const isTask = method.startsWith("tasks/");
  const words = isTask
    ? (readString(params, "taskId") ?? "")
    : `${method} ${tool} ${JSON.stringify(readMember(params, "arguments"))}`;
  return { type: priced.has(method) ? "call" : "protocol", method, tool, words };
}

function createdTask(result: unknown): string | undefined {
  if (readString(result, "resultType") === "task") return readString(result, "taskId");
  return readArray(result, "content").length > 0 ? undefined : readString(result, "task", "taskId");
}

function outcomeOf(call: Call, result: unknown): Outcome {
  return call.method === "tools/call" && readMember(result, "isError") === true
    ? "tool_error"
    : "ok";
}

function isRpc(value: unknown): boolean {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method } = value;
  const hasId = typeof id === "string" || typeof id === "number";
  const hasNoId = id === undefined || id === null;
  if (typeof method === "string") return hasId || hasNoId;
  return ("result" in value && hasId) || ("error" in value && (hasId || hasNoId));
}

function taken<T>(list: T[], fits: (one: T) => boolean): T | undefined {
  const at = list.findIndex(fits);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of brackets outside strings; in these sessions no string holds a bracket that counts. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const bracket of text.replaceAll(/[^[\]{}]+/g, "")) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
