import type { Side } from "#wire/message.ts";
import { Random } from "../../scripts/fuzz/contents.ts";

export type Spoken = { readonly from: Side } & (
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "batch"; readonly messages: readonly Message[] }
  | { readonly kind: "noise"; readonly bytes: Uint8Array }
);

export type Message = { readonly jsonrpc: "2.0" } & Readonly<Record<string, unknown>>;

export const canary = "CANARY";

type Id = string | number;
type Open = { readonly id: Id; readonly method: string; readonly params: Message };

const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "1" },
};

export class Script {
  readonly spoken: Spoken[] = [];
  readonly #random: Random;
  readonly #isModern: boolean;
  readonly #open: { client: Open[]; server: Open[] } = { client: [], server: [] };
  readonly #waiting: { readonly state: string | undefined; readonly params: Message }[] = [];
  readonly #tasks: string[] = [];
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#isModern = random.chance(0.4);
    if (!this.#isModern && random.chance(0.9)) this.#greet();
    const length = 5 + random.below(120);
    while (this.spoken.length < length) this.#act();
  }

  #greet(): void {
    const id = this.#id();
    const clientInfo = { name: this.#random.pick(["host", "codex", "Zed"]), version: "1" };
    this.#say("client", {
      id,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", clientInfo },
    });
    const instructions = this.#random.chance(0.5) ? { instructions: `${canary} be kind` } : {};
    const result = {
      protocolVersion: "2025-11-25",
      serverInfo: { name: "garden" },
      ...instructions,
    };
    this.#say("server", { id, result });
    this.#say("client", { method: "notifications/initialized" });
  }

  #act(): void {
    const acts: readonly [() => void, ...(() => void)[]] = [
      () => this.#ask("client"),
      () => this.#ask("client"),
      () => this.#ask("server"),
      () => this.#answer("client"),
      () => this.#answer("client"),
      () => this.#answer("client"),
      () => this.#answer("server"),
      () => this.#cancel(),
      () => this.#goOn(),
      () => this.#poll(),
      () => this.#strangeAnswer(),
      () => this.#notify(),
      () => this.#noise(),
      () => this.#batch(),
    ];
    this.#random.pick(acts)();
  }

  #ask(from: Side): void {
    const message = this.#request(from);
    this.#say(from, message);
  }

  #request(from: Side): Omit<Message, "jsonrpc"> & { id: Id; method: string; params: object } {
    const method =
      from === "server"
        ? this.#random.pick(["sampling/createMessage", "roots/list", "ping"])
        : this.#random.pick([
            "tools/call",
            "tools/call",
            "tools/call",
            "prompts/get",
            "resources/read",
            "tools/list",
            "ping",
            "subscriptions/listen",
            "server/discover",
          ]);
    const id = this.#id();
    const params = this.#params(method);
    this.#open[from].push({ id, method, params: { jsonrpc: "2.0", ...params } });
    return { id, method, params };
  }

  #params(method: string): object {
    const meta = this.#isModern ? { _meta: modernMeta } : {};
    const name = this.#random.pick(["search", "fetch", "plan", "__proto__", "a\u202eb\u001b[31m"]);
    this.#count += 1;
    switch (method) {
      case "tools/call":
      case "prompts/get":
        return { name, arguments: { q: this.#text(), n: this.#count }, ...meta };
      case "resources/read":
        return { uri: `file:///${canary}/${this.#count}`, ...meta };
      case "sampling/createMessage":
        return { messages: [{ role: "user", content: { type: "text", text: this.#text() } }] };
      case "tools/list":
        return this.#random.chance(0.3) ? { cursor: "next", ...meta } : meta;
      default:
        return meta;
    }
  }

  #answer(asker: Side): void {
    const found = this.#random.any(this.#open[asker]);
    if (!found) return;
    this.#say(asker === "client" ? "server" : "client", this.#answerTo(asker, found));
  }

  #answerTo(asker: Side, open: Open): object {
    this.#forget(asker, open);
    const { id, method } = open;
    if (this.#random.chance(0.15)) {
      return { id, error: { code: -32603, message: canary, data: { text: this.#text() } } };
    }
    if (method === "tools/call" && this.#random.chance(0.15))
      return { id, result: this.#more(open) };
    if (method === "tools/call" && this.#random.chance(0.15)) return { id, result: this.#task() };
    return { id, result: this.#result(method) };
  }

  #result(method: string): object {
    const text = this.#text();
    const block = { type: "text", text };
    switch (method) {
      case "tools/list": {
        const tools = [{ name: "search", description: text, inputSchema: { type: "object" } }];
        return this.#random.chance(0.3) ? { tools, nextCursor: "next" } : { tools };
      }
      case "tools/call":
        return this.#random.pick<object>([
          { content: [block] },
          { content: [block, block], isError: true },
          {
            content: [{ type: "text", text: JSON.stringify({ text }) }],
            structuredContent: { text },
          },
          { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }, null, 7] },
          { resultType: "complete", content: [] },
        ]);
      case "prompts/get":
        return { messages: [{ role: "user", content: block }] };
      case "resources/read":
        return { contents: [{ uri: "file:///a", text }] };
      case "sampling/createMessage":
        return { role: "assistant", content: block };
      default:
        return { nothing: text };
    }
  }

  #more(open: Open): object {
    this.#count += 1;
    const state = this.#random.chance(0.7) ? `state ${this.#count}` : undefined;
    this.#waiting.push({ state, params: open.params });
    const inputRequests = { a: { method: "elicitation/create", params: { message: canary } } };
    const requestState = state === undefined ? {} : { requestState: state };
    return { resultType: "input_required", inputRequests, ...requestState };
  }

  #goOn(): void {
    const found = this.#random.any(this.#waiting);
    if (!found) return;
    this.#waiting.splice(this.#waiting.indexOf(found), 1);
    const id = this.#id();
    const { jsonrpc: _, requestState: _old, inputResponses: _older, ...asked } = found.params;
    const state = found.state === undefined ? {} : { requestState: found.state };
    const params = { ...asked, inputResponses: { a: { action: "accept" } }, ...state };
    this.#open.client.push({ id, method: "tools/call", params: { jsonrpc: "2.0", ...params } });
    this.#say("client", { id, method: "tools/call", params });
  }

  #task(): object {
    this.#count += 1;
    const taskId = `task ${this.#count}`;
    this.#tasks.push(taskId);
    const state = { taskId, status: "working" };
    return this.#isModern ? { resultType: "task", ...state } : { task: state };
  }

  #poll(): void {
    const taskId = this.#random.any(this.#tasks);
    if (taskId === undefined) return;
    const isDone = this.#random.chance(0.5);
    const working = { taskId, status: "working" };
    const final = this.#random.pick<object>([
      { taskId, status: "cancelled" },
      { taskId, status: "completed", result: { content: [{ type: "text", text: this.#text() }] } },
      { taskId, status: "failed", error: { code: -1, message: canary } },
    ]);
    if (this.#random.chance(0.3)) {
      this.#say("server", {
        method: "notifications/tasks/status",
        params: isDone ? final : working,
      });
      return;
    }
    const id = this.#id();
    const method = this.#isModern || !isDone ? "tasks/get" : "tasks/result";
    this.#say("client", { id, method, params: { taskId } });
    const result =
      method === "tasks/result" ? this.#result("tools/call") : isDone ? final : working;
    this.#say(
      "server",
      this.#random.chance(0.1) ? { id, error: { code: -1, message: canary } } : { id, result },
    );
  }

  #cancel(): void {
    const from: Side = this.#random.pick(["client", "client", "server"]);
    const found = this.#random.any(this.#open[from]);
    const requestId = this.#random.chance(0.2) ? this.#id() : found?.id;
    if (requestId === undefined) return;
    if (found && this.#random.chance(0.5)) this.#forget(from, found);
    this.#say(from, { method: "notifications/cancelled", params: { requestId, reason: canary } });
  }

  #strangeAnswer(): void {
    const from: Side = this.#random.pick(["client", "server"]);
    const id = this.#random.pick([this.#id(), null, 1, "1", Number.MAX_SAFE_INTEGER + 1]);
    const body = this.#random.pick<object>([
      { result: {} },
      { error: { code: 1, message: canary } },
    ]);
    this.#say(from, { id, ...body });
  }

  #notify(): void {
    const method = this.#random.pick([
      "notifications/progress",
      "notifications/message",
      "x\u0000y",
      "",
    ]);
    this.#say(this.#random.pick(["client", "server"]), { method, params: { text: this.#text() } });
  }

  #noise(): void {
    const text = this.#random.pick([
      "Listening on port 80",
      "",
      "  \r",
      "{}",
      "[]",
      "[1,2]",
      "null",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":1,"method":',
      `{"jsonrpc":"2.0","method":"deep","params":${"[".repeat(300)}${"]".repeat(300)}}`,
      "[".repeat(2_000),
      "\ufffd\u2028\u0000",
    ]);
    const bytes = new TextEncoder().encode(`${text}\n`);
    const noisy = this.#random.chance(0.3)
      ? Uint8Array.from(
          [...Array(20)].map(() => this.#random.below(256)).filter((byte) => byte !== 10),
        )
      : bytes.subarray(0, -1);
    const line = new Uint8Array([...noisy, 10]);
    this.spoken.push({ kind: "noise", from: this.#random.pick(["client", "server"]), bytes: line });
  }

  #batch(): void {
    const from: Side = this.#random.pick(["client", "server"]);
    const asker = from === "client" ? "server" : "client";
    const messages = Array.from({ length: 1 + this.#random.below(4) }, () => {
      const open = this.#random.any(this.#open[asker]);
      const message =
        open && this.#random.chance(0.5) ? this.#answerTo(asker, open) : this.#request(from);
      return { jsonrpc: "2.0" as const, ...message };
    });
    this.spoken.push({ kind: "batch", from, messages });
  }

  #say(from: Side, message: object): void {
    this.spoken.push({ kind: "message", from, message: { jsonrpc: "2.0", ...message } });
  }

  #forget(asker: Side, open: Open): void {
    if (this.#random.chance(0.1)) return;
    this.#open[asker].splice(this.#open[asker].indexOf(open), 1);
  }

  #id(): Id {
    this.#count += 1;
    if (this.#random.chance(0.15)) return this.#random.pick([1, "1", "", 0]);
    return this.#random.chance(0.3) ? `id ${this.#count}` : this.#count;
  }

  #text(): string {
    const length = this.#random.chance(0.03) ? 40_000 : this.#random.below(60);
    return canary + this.#random.pick(["a ", "é", "漢", '"\\', "\u{1f600}"]).repeat(length);
  }
}
