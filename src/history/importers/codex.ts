import type { Importer, UserHome, LogFolder, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  readFolderVariable,
  readId,
  makeProjectFields,
  makeToolUse,
  makeToolResult,
  parseTime,
  measureArguments,
  parseDurationMs,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { tryParseJson } from "#kit/errors.ts";
import {
  type LoggedUsage,
  parseTokens,
  type ConversationEvent,
  type LoggedOutcome,
  type ToolResultEvent,
  type ToolEndEvent,
  type ToolName,
  type ToolUseEvent,
  makeRequestEvent,
  noUsage,
  splitInput,
  type CallFacts,
} from "../imports/log-event.ts";

// One JSONL file per thread, possibly compressed or archived.
export const codex: Importer = {
  name: "Codex CLI",
  serverNames: "logged",
  // A file that is in both folders is read from the first.
  findFolders: (home) => ["sessions", "archived_sessions"].map((name) => makeFolder(home, name)),
  findSettings: (home) => [
    { file: `${findHome(home)}/config.toml`, form: "toml", paths: [["mcp_servers"]] },
  ],
  open: (path, utils) => new CodexReader(path, utils),
};

function findHome({ folder, env }: UserHome): string {
  return readFolderVariable(env, "CODEX_HOME") ?? `${folder}/.codex`;
}

function makeFolder(home: UserHome, name: string): LogFolder {
  return {
    folder: `${findHome(home)}/${name}`,
    detectForm: (path) => (rolloutPattern.test(path) ? "lines" : undefined),
    // A file's name is a start time plus a random id, so it identifies the thread.
    makeKey: (path) => rolloutPattern.exec(path)?.[1] ?? path,
  };
}

const rolloutPattern = /(?:^|\/)(rollout-[^/]+\.jsonl)(?:\.zst)?$/;

const resourceTool = "read_mcp_resource";

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

// A new thread copies the lines of its parent within this time after its start.
const copyingMs = 1000;

export class CodexReader implements LogReader {
  readonly #utils: ReaderUtils;
  #thread: string;
  #isConversationEmitted = false;
  #startMs: number | null = null;
  #model: string | null = null;
  #turn: string | null = null;
  #at: number | null = null;
  readonly #openCalls = new Set<string>();

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#thread = /([\da-f-]{36})\.jsonl/.exec(path)?.[1] ?? path;
  }

  take(line: JsonObject): void {
    const { payload } = line;
    this.#at = parseTime(line["timestamp"]) ?? this.#at;
    if (!isObject(payload)) {
      this.#takeBare(line);
      return;
    }
    const type = readString(line, "type") ?? "";
    if (!knownTypes.has(type)) this.#utils.countUnknown();
    if (type === "session_meta") this.#takeStart(payload);
    else if (type === "turn_context") this.#takeTurn(payload);
    else if (type === "response_item") this.#takeItem(payload);
    else if (type === "event_msg") this.#takeMessage(payload);
    else if (type === "token_usage_record") this.#takeUsage(payload);
    else if (type === "compacted") this.#takeBoundary("compaction");
  }

  // In the oldest versions, the line itself is the payload.
  #takeBare(line: JsonObject): void {
    if (typeof line["type"] === "string") this.#takeItem(line);
    else if (typeof line["id"] === "string") this.#takeStart(line);
    else if (line["record_type"] === undefined) this.#utils.countUnknown();
  }

  // The first `session_meta` describes this thread; later ones are copied from the parent.
  #takeStart(payload: JsonObject): void {
    if (this.#isConversationEmitted) return;
    this.#isConversationEmitted = true;
    const facts = describeThread(payload, this.#thread, this.#utils);
    this.#thread = facts.conversation;
    this.#startMs = parseTime(payload["timestamp"]) ?? this.#at;
    this.#utils.emit({ kind: "conversation", at: this.#startMs, ...facts });
  }

  #takeTurn(payload: JsonObject): void {
    this.#model = readId(this.#utils, payload, "model");
    this.#turn = readId(this.#utils, payload, "turn_id") ?? this.#turn;
  }

  #takeItem(item: JsonObject): void {
    const type = readString(item, "type") ?? "";
    if (type === "function_call") {
      const use = parseToolUse(item, this.#facts, this.#utils);
      if (!use) return;
      this.#openCalls.add(use.id);
      this.#utils.emit(use);
    } else if (type === "function_call_output") {
      const id = readId(this.#utils, item, "call_id");
      if (id === null || !this.#openCalls.delete(id)) return;
      this.#utils.emit(parseOutput(item["output"], { id, ...this.#facts }, this.#utils));
    }
  }

  #takeMessage(payload: JsonObject): void {
    const type = readString(payload, "type");
    if (type === "token_count") this.#takeRunningTotal(payload["info"]);
    else if (type === "thread_rolled_back") this.#takeBoundary("rewind");
    else {
      const end = parseCallEnd(payload, this.#facts, this.#utils);
      if (end) this.#utils.emit(end);
    }
  }

  #takeRunningTotal(info: unknown): void {
    const total = parseUsage(readMember(info, "total_token_usage"));
    const last = parseUsage(readMember(info, "last_token_usage")) ?? null;
    if (!total) return;
    const isEarly = this.#at !== null && this.#at <= (this.#startMs ?? -Infinity) + copyingMs;
    this.#utils.emit({
      ...this.#facts,
      kind: "running_total",
      total,
      last,
      isEarly,
      turn: this.#turn,
    });
  }

  // A request copied from the parent thread keeps its response id and the parent's thread id. So it counts once.
  #takeUsage(payload: JsonObject): void {
    const usage = parseUsage(payload["usage"]);
    if (!usage) return;
    const message = readId(this.#utils, payload, "response_id");
    const conversation = readId(this.#utils, payload, "thread_id") ?? this.#thread;
    this.#utils.emit(makeRequestEvent({ ...this.#facts, conversation }, message, usage, "largest"));
  }

  #takeBoundary(reason: "compaction" | "rewind"): void {
    const { at, conversation } = this.#facts;
    this.#utils.emit({ kind: "boundary", at, conversation, reason, line: null });
  }

  get #facts(): CallFacts {
    return { at: this.#at, conversation: this.#thread, model: this.#model };
  }
}

// Ignores `total_tokens`, because Codex overwrites this total with the size of the context window after an overflow.
function parseUsage(value: unknown): LoggedUsage | undefined {
  if (!isObject(value)) return undefined;
  const read = parseTokens(value["cached_input_tokens"]);
  const written = parseTokens(value["cache_write_input_tokens"]);
  return {
    ...noUsage,
    ...splitInput(parseTokens(value["input_tokens"]), read, written),
    output: parseTokens(value["output_tokens"]),
    reasoning: parseTokens(value["reasoning_output_tokens"]),
  };
}

function describeThread(
  meta: JsonObject,
  thread: string,
  utils: ReaderUtils,
): Omit<ConversationEvent, "kind" | "at"> {
  const conversation = readId(utils, meta, "id") ?? thread;
  const spawned = readMember(meta, "source", "subagent", "thread_spawn");
  const parent =
    readId(utils, meta, "parent_thread_id") ?? readId(utils, spawned, "parent_thread_id");
  const origin = readId(utils, meta, "forked_from_id");
  const isSubagent = parent !== null || readMember(meta, "source", "subagent") !== undefined;
  return {
    conversation,
    session: readId(utils, meta, "session_id") ?? conversation,
    role: isSubagent ? "subagent" : origin === null ? null : "fork",
    parent: parent ?? origin,
    clientVersion: readId(utils, meta, "cli_version"),
    ...makeProjectFields(readString(meta, "cwd"), utils),
  };
}

function parseOutput(
  output: unknown,
  { id, ...facts }: CallFacts & { readonly id: string },
  utils: ReaderUtils,
): ToolResultEvent {
  const items = Array.isArray(output) ? output : [];
  const texts = readTexts(output, items);
  const outcome = detectOutcome(output, texts[0] ?? "");
  const images = items.filter((item) => readString(item, "type") === "input_image").length;
  return makeToolResult(facts, { id, outcome, texts, images }, utils);
}

function readTexts(output: unknown, items: readonly unknown[]): readonly string[] {
  if (typeof output === "string") return [output];
  const content = readString(output, "content");
  if (content !== undefined) return [content];
  return [...items, ...readArray(output, "content")].flatMap((item) =>
    typeof item === "string" ? item : (readString(item, "text") ?? []),
  );
}

// `ok` is a guess, which an end event from the client may correct.
function detectOutcome(output: unknown, text: string): LoggedOutcome {
  if (text.startsWith("aborted by user after ")) return "cancelled";
  if (text.startsWith("unsupported call: ")) return "unknown_tool";
  return readMember(output, "success") === false ? "tool_error" : "ok";
}

const resourceListTools: ReadonlySet<string> = new Set([
  "list_mcp_resources",
  "list_mcp_resource_templates",
]);

function parseCallEnd(
  payload: JsonObject,
  { at, conversation, model }: CallFacts,
  utils: ReaderUtils,
): ToolEndEvent | undefined {
  const end =
    payload["type"] === "mcp_tool_call_end" ? parseOlderEnd(payload) : parseNewerEnd(payload);
  if (!end) return undefined;
  const id = readId(utils, payload, "call_id") ?? readId(utils, payload, "item", "id");
  const name = parseEndName(end.call, utils);
  if (id === null || name === undefined) return undefined;
  return {
    kind: "tool_end",
    at,
    conversation,
    id,
    name,
    method: end.call["tool"] === resourceTool ? "resources/read" : "tools/call",
    outcome: end.outcome,
    durationMs: parseDuration(end.duration),
    ...measureArguments(end.call["arguments"], utils, model),
  };
}

type CallEnd = {
  readonly call: JsonObject;
  readonly outcome: LoggedOutcome;
  readonly duration: unknown;
};

function parseOlderEnd(payload: JsonObject): CallEnd | undefined {
  const { invocation, result, duration } = payload;
  if (!isObject(invocation)) return undefined;
  const answer = readMember(result, "Ok");
  const outcome = answer === undefined ? "rpc_error" : readOutcome(answer);
  return { call: invocation, outcome, duration };
}

function parseNewerEnd(payload: JsonObject): CallEnd | undefined {
  const { type, item } = payload;
  if (type !== "item_completed" || !isObject(item) || item["type"] !== "McpToolCall") {
    return undefined;
  }
  const { result, duration } = item;
  if (isObject(result)) {
    const isFailed = item["status"] === "failed";
    return { call: item, outcome: isFailed ? "tool_error" : readOutcome(result), duration };
  }
  return { call: item, outcome: "rpc_error", duration };
}

function readOutcome(answer: unknown): LoggedOutcome {
  const isError = readMember(answer, "isError") === true || readMember(answer, "is_error") === true;
  return isError ? "tool_error" : "ok";
}

function parseEndName(call: JsonObject, utils: ReaderUtils): ToolName | undefined {
  const server = readId(utils, call, "server");
  const tool =
    readString(call, "tool") === resourceTool ? "resources/read" : readId(utils, call, "tool");
  if (server === null || tool === null || resourceListTools.has(tool)) return undefined;
  return { server, tool };
}

function parseDuration(duration: unknown): number | null {
  if (!isObject(duration)) return null;
  return parseDurationMs(
    parseTokens(duration["secs"]) * 1000 + parseTokens(duration["nanos"]) / 1e6,
  );
}

function parseToolUse(
  item: JsonObject,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const id = readId(utils, item, "call_id");
  const isResource = item["name"] === resourceTool;
  const name = isResource ? parseResourceName(item, utils) : parseToolName(item, utils);
  if (id === null || name === undefined) return undefined;
  const method = isResource ? "resources/read" : "tools/call";
  const call = { id, name, method, args: item["arguments"] } as const;
  return makeToolUse({ ...facts, message: null }, call, utils);
}

function parseResourceName(item: JsonObject, utils: ReaderUtils): ToolName | undefined {
  const server = readId(utils, tryParseJson(readString(item, "arguments")), "server");
  return server === null ? undefined : { server, tool: "resources/read" };
}

// Namespaces are `mcp__server`; some versions append `__`.
function parseToolName(item: JsonObject, utils: ReaderUtils): ToolName | undefined {
  const name = readId(utils, item, "name");
  if (name === null) return undefined;
  const namespace = readId(utils, item, "namespace");
  const joined = namespace === null ? name : `${namespace.replace(/__$/, "")}__${name}`;
  return joined.startsWith("mcp__") ? { joined, form: "mcp__server__tool" } : undefined;
}
