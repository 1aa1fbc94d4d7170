import type {
  Importer,
  LogHome,
  LogPlace,
  LogFacts,
  LogReader,
  ReaderTools,
} from "../imports/importer.ts";
import { openCallsKeptMax } from "../limits.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import {
  idAt,
  projectFacts,
  textFacts,
  timeFrom,
  argumentFacts,
  durationFrom,
  parsedText,
} from "./log-fields.ts";
import {
  type LoggedUsage,
  tokensFrom,
  type ConversationEvent,
  type LoggedOutcome,
  type ToolResultEvent,
  type ToolEndEvent,
  type ToolName,
  type ToolUseEvent,
} from "../imports/log-event.ts";

/** One JSONL file per thread, which may be compressed or archived. */
export const codex: Importer = {
  id: "codex",
  name: "Codex CLI",
  // A file that is in both folders is read once, from the first.
  places: (home) => ["sessions", "archived_sessions"].map((name) => rolloutsIn(home, name)),
  settings: (home) => [
    { file: `${codexHome(home)}/config.toml`, form: "toml", paths: [["mcp_servers"]] },
  ],
  open: (file, tools, state) => new CodexReader(file, tools, state),
};

function codexHome({ folder, env }: LogHome): string {
  const named = env["CODEX_HOME"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : `${folder}/.codex`;
}

function rolloutsIn(home: LogHome, name: string): LogPlace {
  return {
    folder: `${codexHome(home)}/${name}`,
    form: (path) => (rollout.test(path) ? "lines" : undefined),
    // Names begin with a time and end with a random id.
    key: (path) => rollout.exec(path)?.[1] ?? path,
  };
}

const rollout = /(?:^|\/)(rollout-[^/]+\.jsonl)(?:\.zst)?$/;

const knownTypes: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "compacted",
  "token_usage_record",
  "world_state",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
]);

/** Within this time after its start a thread copies the lines of its parent. */
const copyingMs = 1000;

export class CodexReader implements LogReader {
  readonly #tools: ReaderTools;
  #thread: string;
  #isDescribed = false;
  #startMs: number | null = null;
  #model: string | null = null;
  #turn: string | null = null;
  #at: number | null = null;
  readonly #calls = new Set<string>();

  constructor({ path }: LogFacts, tools: ReaderTools, state?: unknown) {
    this.#tools = tools;
    this.#thread = textAt(state, "thread") ?? /([\da-f-]{36})\.jsonl/.exec(path)?.[1] ?? path;
    this.#isDescribed = memberAt(state, "isDescribed") === true;
    this.#startMs = timeFrom(memberAt(state, "startMs"));
    this.#model = textAt(state, "model") ?? null;
    this.#turn = textAt(state, "turn") ?? null;
    this.#at = timeFrom(memberAt(state, "at"));
    for (const id of arrayAt(state, "calls")) this.#calls.add(String(id));
  }

  take(line: JsonObject): void {
    const { payload } = line;
    this.#at = timeFrom(line["timestamp"]) ?? this.#at;
    if (!isObject(payload)) {
      this.#takeBare(line);
      return;
    }
    const type = textAt(line, "type") ?? "";
    if (!knownTypes.has(type)) this.#tools.countUnknown();
    if (type === "session_meta") this.#takeStart(payload);
    else if (type === "turn_context") this.#takeTurn(payload);
    else if (type === "response_item") this.#takeItem(payload);
    else if (type === "event_msg") this.#takeMessage(payload);
    else if (type === "token_usage_record") this.#takeUsage(payload);
    else if (type === "compacted") this.#takeBoundary("compaction");
  }

  state(): unknown {
    return {
      thread: this.#thread,
      isDescribed: this.#isDescribed,
      startMs: this.#startMs,
      model: this.#model,
      turn: this.#turn,
      at: this.#at,
      calls: [...this.#calls].slice(-openCallsKeptMax),
    };
  }

  /** The oldest versions have no envelope. */
  #takeBare(line: JsonObject): void {
    if (typeof line["type"] === "string") this.#takeItem(line);
    else if (typeof line["id"] === "string") this.#takeStart(line);
    else if (line["record_type"] === undefined) this.#tools.countUnknown();
  }

  /** The first one is of this thread; a copy of the parent's lines begins with the parent's. */
  #takeStart(payload: JsonObject): void {
    if (this.#isDescribed) return;
    this.#isDescribed = true;
    const facts = threadFacts(payload, this.#thread, this.#tools);
    this.#thread = facts.conversation;
    this.#startMs = timeFrom(payload["timestamp"]) ?? this.#at;
    this.#tools.emit({ kind: "conversation", at: this.#startMs, ...facts });
  }

  #takeTurn(payload: JsonObject): void {
    this.#model = idAt(this.#tools, payload, "model");
    this.#turn = idAt(this.#tools, payload, "turn_id") ?? this.#turn;
  }

  #takeItem(item: JsonObject): void {
    const type = textAt(item, "type") ?? "";
    if (type === "function_call") {
      const use = toolUse(item, this.#place(), this.#tools);
      if (!use) return;
      this.#calls.add(use.id);
      this.#tools.emit(use);
    } else if (type === "function_call_output") {
      const id = idAt(this.#tools, item, "call_id");
      if (id === null || !this.#calls.delete(id)) return;
      this.#tools.emit(loggedOutput(item["output"], { id, ...this.#place() }, this.#tools));
    }
  }

  #takeMessage(payload: JsonObject): void {
    const type = textAt(payload, "type");
    if (type === "token_count") this.#takeCounter(payload["info"]);
    else if (type === "thread_rolled_back") this.#takeBoundary("rewind");
    else {
      const end = callEnd(payload, this.#place(), this.#tools);
      if (end) this.#tools.emit(end);
    }
  }

  #takeCounter(info: unknown): void {
    const total = usageFrom(memberAt(info, "total_token_usage"));
    const last = usageFrom(memberAt(info, "last_token_usage")) ?? null;
    if (!total) return;
    const isEarly = this.#at !== null && this.#at <= (this.#startMs ?? -Infinity) + copyingMs;
    this.#tools.emit({ ...this.#place(), kind: "counter", total, last, isEarly, turn: this.#turn });
  }

  /** A copy of the parent's request has the parent's id. */
  #takeUsage(payload: JsonObject): void {
    const usage = usageFrom(payload["usage"]);
    if (!usage) return;
    const message = idAt(this.#tools, payload, "response_id");
    this.#tools.emit({
      ...this.#place(),
      kind: "request",
      conversation: idAt(this.#tools, payload, "thread_id") ?? this.#thread,
      keys: { message, request: null, line: null },
      isSideChain: false,
      usage,
      merge: "largest",
    });
  }

  #takeBoundary(why: "compaction" | "rewind"): void {
    const { at, conversation } = this.#place();
    this.#tools.emit({ kind: "boundary", at, conversation, why, line: null });
  }

  #place(): CallPlace {
    return { at: this.#at, conversation: this.#thread, model: this.#model };
  }
}

/** The input includes cached tokens, the output the reasoning. Its own total is left out: it is the context window when that is full. */
function usageFrom(value: unknown): LoggedUsage | undefined {
  if (!isObject(value)) return undefined;
  const read = tokensFrom(value["cached_input_tokens"]);
  const written = tokensFrom(value["cache_write_input_tokens"]);
  return {
    uncached: Math.max(0, tokensFrom(value["input_tokens"]) - read - written),
    cacheRead: read,
    cacheWrite5m: written,
    cacheWrite1h: 0,
    output: tokensFrom(value["output_tokens"]),
    reasoning: tokensFrom(value["reasoning_output_tokens"]),
  };
}

function threadFacts(
  meta: JsonObject,
  thread: string,
  tools: ReaderTools,
): Omit<ConversationEvent, "kind" | "at"> {
  const conversation = idAt(tools, meta, "id") ?? thread;
  const spawned = memberAt(meta, "source", "subagent", "thread_spawn");
  const parent = idAt(tools, meta, "parent_thread_id") ?? idAt(tools, spawned, "parent_thread_id");
  const origin = idAt(tools, meta, "forked_from_id");
  const isSubagent = parent !== null || memberAt(meta, "source", "subagent") !== undefined;
  return {
    conversation,
    session: idAt(tools, meta, "session_id") ?? conversation,
    role: isSubagent ? "subagent" : origin === null ? null : "fork",
    parent: parent ?? origin,
    clientVersion: idAt(tools, meta, "cli_version"),
    ...projectFacts(textAt(meta, "cwd"), tools),
  };
}

/** A text, a list of parts, or in old versions an object with `content`. */
function loggedOutput(
  output: unknown,
  { id, at, conversation, model }: CallPlace & { readonly id: string },
  tools: ReaderTools,
): ToolResultEvent {
  const parts = Array.isArray(output) ? output : [];
  const texts = textsOf(output, parts);
  return {
    kind: "tool_result",
    at,
    conversation,
    id,
    outcome: outcomeOf(output, texts[0] ?? ""),
    visible: "as_logged",
    ...textFacts(texts, model, tools),
    images: parts.filter((part) => textAt(part, "type") === "input_image").length,
    durationMs: null,
  };
}

function textsOf(output: unknown, parts: readonly unknown[]): readonly string[] {
  if (typeof output === "string") return [output];
  const content = textAt(output, "content");
  if (content !== undefined) return [content];
  return [...parts, ...arrayAt(output, "content")].flatMap((part) =>
    typeof part === "string" ? part : (textAt(part, "text") ?? []),
  );
}

/** Without the client's own end of a call, `ok` is a guess. */
function outcomeOf(output: unknown, text: string): LoggedOutcome {
  if (text.startsWith("aborted by user after ")) return "cancelled";
  if (text.startsWith("unsupported call: ")) return "unknown_tool";
  return memberAt(output, "success") === false ? "tool_error" : "ok";
}

const listTools: ReadonlySet<string> = new Set([
  "list_mcp_resources",
  "list_mcp_resource_templates",
]);

function callEnd(
  payload: JsonObject,
  { at, conversation, model }: CallPlace,
  tools: ReaderTools,
): ToolEndEvent | undefined {
  const end = payload["type"] === "mcp_tool_call_end" ? olderEnd(payload) : newerEnd(payload);
  if (!end) return undefined;
  const id = idAt(tools, payload, "call_id") ?? idAt(tools, payload, "item", "id");
  const name = nameOf(end.call, tools);
  if (id === null || name === undefined) return undefined;
  return {
    kind: "tool_end",
    at,
    conversation,
    id,
    name,
    method: end.call["tool"] === resourceTool ? "resources/read" : "tools/call",
    outcome: end.outcome,
    durationMs: durationOf(end.duration),
    ...argumentFacts(end.call["arguments"], tools, model),
  };
}

type CallEnd = {
  readonly call: JsonObject;
  readonly outcome: LoggedOutcome;
  readonly duration: unknown;
};

function olderEnd(payload: JsonObject): CallEnd | undefined {
  const { invocation, result, duration } = payload;
  if (!isObject(invocation)) return undefined;
  const isFault = memberAt(result, "Ok") === undefined;
  const answer = memberAt(result, "Ok");
  return { call: invocation, outcome: isFault ? "rpc_error" : callOutcome(answer), duration };
}

function newerEnd(payload: JsonObject): CallEnd | undefined {
  const { type, item } = payload;
  if (type !== "item_completed" || !isObject(item) || item["type"] !== "McpToolCall") {
    return undefined;
  }
  const { result, duration } = item;
  if (isObject(result)) {
    const isFailed = item["status"] === "failed";
    return { call: item, outcome: isFailed ? "tool_error" : callOutcome(result), duration };
  }
  return { call: item, outcome: "rpc_error", duration };
}

function callOutcome(answer: unknown): LoggedOutcome {
  const isError = memberAt(answer, "isError") === true || memberAt(answer, "is_error") === true;
  return isError ? "tool_error" : "ok";
}

function nameOf(call: JsonObject, tools: ReaderTools): ToolName | undefined {
  const server = idAt(tools, call, "server");
  const tool = textAt(call, "tool") === resourceTool ? "resources/read" : idAt(tools, call, "tool");
  if (server === null || tool === null || listTools.has(tool)) return undefined;
  return { server, tool };
}

function durationOf(duration: unknown): number | null {
  if (!isObject(duration)) return null;
  return durationFrom(tokensFrom(duration["secs"]) * 1000 + tokensFrom(duration["nanos"]) / 1e6);
}

type CallPlace = {
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
};

const resourceTool = "read_mcp_resource";

function toolUse(
  item: JsonObject,
  { at, conversation, model }: CallPlace,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const id = idAt(tools, item, "call_id");
  const isResource = item["name"] === resourceTool;
  const name = isResource ? resourceName(item, tools) : toolName(item, tools);
  if (id === null || name === undefined) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name,
    method: isResource ? "resources/read" : "tools/call",
    ...argumentFacts(item["arguments"], tools, model),
    model,
    isSideChain: false,
    message: null,
  };
}

function resourceName(item: JsonObject, tools: ReaderTools): ToolName | undefined {
  const server = idAt(tools, parsedText(textAt(item, "arguments")), "server");
  return server === null ? undefined : { server, tool: "resources/read" };
}

/** Namespaces are `mcp__server`, in some versions with another `__` at the end. */
function toolName(item: JsonObject, tools: ReaderTools): ToolName | undefined {
  const name = idAt(tools, item, "name");
  if (name === null) return undefined;
  const namespace = idAt(tools, item, "namespace");
  const joined = namespace === null ? name : `${namespace.replace(/__$/, "")}__${name}`;
  return joined.startsWith("mcp__") ? { joined, form: "double" } : undefined;
}
