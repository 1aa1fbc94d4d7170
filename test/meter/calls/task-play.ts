import { expect } from "bun:test";
import * as fc from "fast-check";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { isObject, readMember, readString } from "#wire/json.ts";
import { callPrices } from "../budgets/setting.ts";
import { type Setting, Wire } from "../budgets/wire.ts";
import { plainReader } from "../../support/plain-reader.ts";

const taskIds = ["t", "u", `${"x".repeat(300)}1`, `${"x".repeat(300)}2`] as const;
const tools = ["a", "b", "free"] as const;
const immediateKey = "io.modelcontextprotocol/model-immediate-response";
const limits: { readonly [tool: string]: number } = { a: 60, b: 90 };
const limitOfAll = 200;

const number = fc.nat({ max: 1_000 });
const words = fc.nat({ max: 60 });
export const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant("call"), fc.constantFrom(...tools), number) },
    {
      weight: 4,
      arbitrary: fc.tuple(
        fc.constant("poll"),
        number,
        fc.constantFrom("get", "result", "cancel", "update"),
      ),
    },
    { weight: 6, arbitrary: fc.tuple(fc.constant("answer"), number, number, words) },
    { weight: 2, arbitrary: fc.tuple(fc.constant("notify"), number, words, number) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("cancel"), number, number) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("sample"), number, words) },
    { weight: 1, arbitrary: fc.tuple(fc.constant("work"), number, number) },
  ),
  { minLength: 4, maxLength: 60 },
);

type Open = {
  readonly id: number;
  readonly tool?: string;
  readonly taskId?: string;
  readonly method: string;
};

/** A session of both eras and both sides whose server does as it likes with its tasks, watched from outside. */
export class TaskPlay {
  readonly #wire: Wire;
  readonly #isModern: boolean;
  readonly #count: (text: string) => number;
  readonly #spent = new Map<string, number>();
  readonly #toolsById = new Map<string, Set<string>>();
  readonly #calls: number[] = [];
  readonly #seen = new Set<string>();
  #open: Open[] = [];
  #id = 0;
  #sampled = 0;

  constructor({ isModern, observedMax }: { isModern: boolean; observedMax: number }) {
    const specs = [`a=${limits["a"]}/session`, `b=${limits["b"]}/session`, `${limitOfAll}/session`];
    const setting: Setting = {
      budgets: specs.map((spec) => parseBudget(spec, actions)),
      errorForm: "tool",
      repeatsMax: undefined,
      client: "host",
      tokenizer: "words",
      observedMax,
      isAsked: false,
      canKeep: false,
      callPrices,
    };
    this.#wire = new Wire(setting);
    this.#isModern = isModern;
    const { estimator } = plainReader("host", "words");
    this.#count = (text) => estimator.count(text);
  }

  play(all: readonly (readonly [string, ...unknown[]])[]): ReadonlySet<string> {
    for (const step of all) this.#step(step);
    const counters = this.#wire.end();
    for (const [tool, limit] of [...Object.entries(limits), ["all", limitOfAll] as const]) {
      const delivered = this.#spent.get(tool) ?? 0;
      const counter = counters.find((one) => (one.tool ?? "all") === tool);
      expect([tool, delivered <= limit, (counter?.spent ?? 0) >= delivered]).toEqual([
        tool,
        true,
        true,
      ]);
    }
    this.#checkRecords();
    return this.#seen;
  }

  #step([kind, one, two, three]: readonly [string, ...unknown[]]): void {
    const [first, second] = [Number(one), Number(two)];
    if (kind === "call") this.#call(String(one));
    else if (kind === "poll") this.#poll(first, `tasks/${String(two)}`);
    else if (kind === "answer") this.#answer(first, second, Number(three));
    else if (kind === "notify") this.#notify(first, second, Number(three));
    else if (kind === "cancel") this.#cancel(first);
    else if (kind === "sample") this.#sample(first, second);
    else this.#wire.work();
  }

  #call(tool: string): void {
    const params = { name: tool, arguments: {}, ...this.#meta(), task: {} };
    const id = this.#request("tools/call", params);
    this.#calls.push(id);
    const hasReached = this.#hasReachedServer(id);
    this.#seen.add(hasReached ? "called" : "not run");
    if (!hasReached) return;
    this.#open.push({ id, tool, method: "tools/call" });
  }

  #poll(which: number, method: string): void {
    // The last of these ids no server ever handed out.
    const taskId = [...taskIds, "never handed out"][which % 5] ?? "t";
    const id = this.#request(method, { taskId, ...this.#meta() });
    expect(this.#hasReachedServer(id)).toBe(true);
    this.#open.push({ id, taskId, method });
  }

  #answer(which: number, how: number, size: number): void {
    const open = this.#open[which % Math.max(1, this.#open.length)];
    if (!open) return;
    this.#open = this.#open.filter((one) => one !== open);
    const taskId = taskIds[how % taskIds.length] ?? "t";
    const answer =
      open.tool === undefined
        ? this.#pollAnswer(open, how, size)
        : this.#callAnswer(taskId, how, size);
    const line = JSON.stringify({ jsonrpc: "2.0", id: open.id, ...answer });
    const owners = open.tool === undefined ? this.#toolsOf(open.taskId) : [open.tool];
    const hasArrived = this.#deliver(line, owners);
    if (hasArrived && open.tool !== undefined) this.#handedOut(open.tool, answer);
  }

  #handedOut(tool: string, answer: object): void {
    const id =
      readString(answer, "result", "task", "taskId") ?? readString(answer, "result", "taskId");
    if (id === undefined) return;
    const known = this.#toolsById.get(id) ?? new Set();
    if (known.size > 0) this.#seen.add("one id twice");
    this.#toolsById.set(id, known.add(tool));
  }

  #callAnswer(taskId: string, how: number, size: number): object {
    const text = { type: "text", text: says(size) };
    const state = { taskId, status: "working" };
    const handle = this.#isModern ? { resultType: "task", ...state } : { task: state };
    const end = { result: { content: [text] } };
    const ended = this.#isModern ? { ...handle, ...end } : { task: { ...state, ...end } };
    return (
      [
        { result: handle },
        { result: handle },
        { result: { ...handle, content: [] } },
        { result: { ...handle, structuredContent: {} } },
        { result: { ...handle, content: [text] } },
        { result: ended },
        { result: { content: [text] } },
        { error: { code: -1, message: says(size) } },
        { result: { ...handle, _meta: { [immediateKey]: says(size) } } },
        { result: { ...handle, _meta: { [immediateKey]: says(size) }, content: [text] } },
        { result: { ...ended, _meta: { [immediateKey]: says(size) } } },
      ][Math.floor(how / 8) % 11] ?? {}
    );
  }

  #pollAnswer({ method, taskId }: Open, how: number, size: number): object {
    const content = [{ type: "text", text: says(size) }];
    if (method === "tasks/result")
      return how % 5 === 0 ? { error: { code: -1, message: says(size) } } : { result: { content } };
    // An answer to another request about a task is not shown to a model when it is an error.
    if (method === "tasks/get" && how % 11 === 0)
      return { error: { code: -1, message: says(size) } };
    return { result: stateOf(how % 7 === 0 ? "u" : (taskId ?? "t"), how, content) };
  }

  #notify(how: number, size: number, which: number): void {
    const taskId = taskIds[which % taskIds.length] ?? "t";
    const params = stateOf(taskId, how, [{ type: "text", text: says(size) }]);
    const line = { jsonrpc: "2.0", method: "notifications/tasks/status", params };
    // Nobody waits for news of a task that was never handed out to it.
    this.#deliver(JSON.stringify(line), this.#toolsOf(taskId), this.#toolsById.has(taskId));
  }

  #cancel(which: number): void {
    const open = this.#open[which % Math.max(1, this.#open.length)];
    if (!open) return;
    this.#open = this.#open.filter((one) => one !== open);
    const params = { requestId: open.id };
    this.#wire.say(
      "client",
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }),
    );
    this.#seen.add("cancelled");
  }

  /** A request of the server, which the client answers with a task of the same id. Nothing of it is gated. */
  #sample(which: number, size: number): void {
    const taskId = taskIds[which % taskIds.length] ?? "t";
    const says1 = (from: "client" | "server", message: object): void =>
      this.#wire.say(from, JSON.stringify({ jsonrpc: "2.0", ...message }));
    const [asked, polled] = [this.#sampled, this.#sampled + 1];
    this.#sampled += 2;
    says1("server", {
      id: asked,
      method: "sampling/createMessage",
      params: { messages: [], maxTokens: 9 },
    });
    says1("client", { id: asked, result: { task: { taskId, status: "working" } } });
    says1("server", { id: polled, method: "tasks/result", params: { taskId } });
    says1("client", { id: polled, result: { content: { type: "text", text: says(size) } } });
  }

  #deliver(line: string, owners: readonly string[], isRead = true): boolean {
    const before = this.#wire.toClient.length;
    this.#wire.say("server", line);
    const arrived = this.#wire.toClient.slice(before).map(({ text }) => text);
    const isWithheld = arrived.some((text) => text.includes("mcp-meter: "));
    if (isWithheld) this.#seen.add("withheld");
    else if (isRead) for (const text of arrived) this.#read(text, owners);
    return !isWithheld;
  }

  #read(text: string, owners: readonly string[]): void {
    const message: unknown = JSON.parse(text);
    const { results, errors } = textsOf(message);
    if (results.length + errors.length > 0) this.#seen.add("read");
    // A client reads a result or an error, not both.
    const tokens = Math.max(this.#sum(results), this.#sum(errors));
    for (const owner of new Set([...owners, "all"]))
      this.#spent.set(owner, (this.#spent.get(owner) ?? 0) + tokens);
  }

  #sum(texts: readonly string[]): number {
    return texts.reduce((sum, one) => sum + this.#count(one), 0);
  }

  #toolsOf(taskId: string | undefined): readonly string[] {
    return [...(this.#toolsById.get(taskId ?? "") ?? [])];
  }

  #request(method: string, params: object): number {
    this.#id += 1;
    this.#wire.say("client", JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params }));
    return this.#id;
  }

  #hasReachedServer(id: number): boolean {
    return this.#wire.toServer.at(-1)?.text.includes(`"id":${id},"method":"t`) === true;
  }

  #meta(): object {
    if (!this.#isModern) return {};
    return { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  }

  #checkRecords(): void {
    const sampled = this.#wire.records.flatMap((record) =>
      record.type === "call" && record.method === "sampling/createMessage"
        ? [record.request_id]
        : [],
    );
    for (let id = 0; id < this.#sampled; id += 2) {
      expect([id, sampled.filter((one) => one === id).length]).toEqual([id, 1]);
    }
    const records = this.#wire.records.flatMap((record) =>
      (record.type === "call" || record.type === "protocol") &&
      record.method !== "sampling/createMessage"
        ? [record]
        : [],
    );
    const byId = Map.groupBy(records, ({ request_id: id }) => id);
    for (const id of this.#calls) {
      const own = byId.get(id)?.filter(({ type }) => type === "call") ?? [];
      expect([id, own.length]).toEqual([id, 1]);
    }
    for (const [id, own] of byId) {
      if (id !== null)
        expect([id, own.filter(({ type }) => type === "call").length <= 1]).toEqual([id, true]);
    }
  }
}

function stateOf(taskId: string, how: number, content: readonly object[]): object {
  const error = { code: -1, message: readString(content[0], "text") };
  return (
    [
      {},
      { taskId, status: "working" },
      { taskId, status: "cancelled" },
      { taskId, status: "failed", error },
      { taskId, status: "completed", result: { content } },
      { taskId, status: "cancelled", result: { content } },
      { taskId, status: "completed", result: {} },
      { taskId, status: "completed", result: { content }, error },
      { taskId, status: "working", error: {}, result: { content } },
    ][how % 9] ?? {}
  );
}

function says(size: number): string {
  return "one two three four five ".repeat(12).slice(0, size * 4);
}

function textsOf(message: unknown): { results: string[]; errors: string[] } {
  const places = [
    readMember(message, "result"),
    readMember(message, "result", "result"),
    readMember(message, "result", "task", "result"),
    readMember(message, "params", "result"),
  ];
  const errors = [
    readMember(message, "error"),
    readMember(message, "result", "error"),
    readMember(message, "params", "error"),
  ];
  const blocks = places.flatMap((place) => {
    const content = readMember(place, "content");
    return Array.isArray(content) ? content.filter(isObject) : [];
  });
  const structured = places
    .map((place) => readMember(place, "structuredContent"))
    .filter((one) => one !== undefined);
  return {
    results: [
      ...blocks.map((block) => readString(block, "text") ?? ""),
      ...structured.map((one) => JSON.stringify(one)),
      readString(message, "result", "_meta", immediateKey) ?? "",
    ].filter((text) => text !== ""),
    errors: errors.map((error) => readString(error, "message") ?? ""),
  };
}
