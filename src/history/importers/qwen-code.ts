import type {
  Importer,
  LogForm,
  LogHome,
  LogFacts,
  LogReader,
  ReaderTools,
} from "../imports/importer.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt, compactJson } from "#wire/json.ts";
import { idAt, timeFrom, argumentFacts, durationFrom, textFacts } from "./log-fields.ts";
import {
  type RequestEvent,
  type LoggedOutcome,
  type ToolEndEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  isNoUsage,
  type LoggedUsage,
  tokensFrom,
} from "../imports/log-event.ts";

/** One JSONL file per session, as a tree of records. */
export const qwenCode: Importer = {
  id: "qwen-code",
  name: "Qwen Code",
  places: (home) => [{ folder: `${runtimeFolder(home)}/projects`, form: formOf }],
  unverified: [
    "forks and sub-agents are in no real log that was read; a fork is taken to name its originals in `forkedFrom`",
    "requests that end without an answer are not counted, because only the telemetry has them",
  ],
  settings: (home) => [
    { file: `${configFolder(home)}/settings.json`, form: "json", paths: [["mcpServers"]] },
  ],
  open: (file, tools, state) => new QwenReader(file, tools, state),
};

function runtimeFolder(home: LogHome): string {
  const named = home.env["QWEN_RUNTIME_DIR"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : configFolder(home);
}

function configFolder({ folder, env }: LogHome): string {
  const named = env["QWEN_HOME"];
  return named?.startsWith("/") === true ? named.replace(/\/+$/, "") : `${folder}/.qwen`;
}

function formOf(path: string): LogForm | undefined {
  return /^[^/]+\/chats\/(?:.+\/)?[^/]+\.jsonl$/.test(path) ? "lines" : undefined;
}

const knownTypes = new Set(["user", "assistant", "tool_result", "system"]);

/** Abandoned branches of the tree were paid for too. */
export class QwenReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #session: string;
  readonly #described = new Set<string>();
  #model: string | null;

  constructor({ path }: LogFacts, tools: ReaderTools, state?: unknown) {
    this.#tools = tools;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? path;
    this.#model = idAt(tools, state, "model");
    for (const id of arrayAt(state, "described")) this.#described.add(String(id));
  }

  take(record: JsonObject): void {
    const type = textAt(record, "type") ?? "";
    if (!knownTypes.has(type)) return this.#tools.countUnknown();
    const facts = this.#describe(record);
    if (type === "assistant") this.#takeAnswer(record, facts);
    else if (type === "tool_result") this.#takeResults(record, facts);
    else if (type === "system") this.#takeSystem(record, facts);
  }

  state(): unknown {
    return { described: [...this.#described], model: this.#model };
  }

  #takeAnswer(record: JsonObject, facts: RecordFacts): void {
    this.#model = idAt(this.#tools, record, "model") ?? this.#model;
    const request = requestEvent(record, facts, this.#tools);
    if (request) this.#tools.emit(request);
    for (const part of arrayAt(record, "message", "parts")) {
      const use = callUse(part, { ...facts, model: this.#model }, this.#tools);
      if (use) this.#tools.emit(use);
    }
  }

  #takeResults(record: JsonObject, facts: RecordFacts): void {
    const status = textAt(record, "toolCallResult", "status") ?? "";
    for (const part of arrayAt(record, "message", "parts")) {
      const result = callResult(part, { ...facts, model: this.#model, status }, this.#tools);
      if (result) this.#tools.emit(result);
    }
  }

  #takeSystem(record: JsonObject, facts: RecordFacts): void {
    const { at, conversation, key } = facts;
    const subtype = textAt(record, "subtype");
    if (subtype === "chat_compression" || subtype === "rewind") {
      const why = subtype === "rewind" ? "rewind" : "compaction";
      this.#tools.emit({ kind: "boundary", at, conversation, why, line: key });
    } else if (subtype === "ui_telemetry") {
      const end = callEnd(memberAt(record, "systemPayload", "uiEvent"), facts, this.#tools);
      if (end) this.#tools.emit(end);
    }
  }

  /** A fork copies records and names the originals; a sub-agent's records have its id. */
  #describe(record: JsonObject): RecordFacts {
    const tools = this.#tools;
    const session = idAt(tools, record, "sessionId") ?? this.#session;
    const isSideChain = record["isSidechain"] === true;
    const agent = isSideChain ? idAt(tools, record, "agentId") : null;
    const origin = idAt(tools, record, "forkedFrom", "sessionId");
    const conversation = agent ?? session;
    const at = timeFrom(record["timestamp"]);
    const facts = {
      at,
      conversation,
      isSideChain,
      key: idAt(tools, record, "forkedFrom", "messageUuid") ?? idAt(tools, record, "uuid"),
      callSession: origin ?? session,
    };
    if (this.#described.has(conversation)) return facts;
    this.#described.add(conversation);
    const folder = textAt(record, "cwd");
    tools.emit({
      kind: "conversation",
      at,
      conversation,
      session,
      role: agent === null ? (origin === null ? null : "fork") : "subagent",
      parent: agent === null ? origin : session,
      clientVersion: idAt(tools, record, "version"),
      project: folder === undefined ? null : tools.projectHash(folder),
    });
    return facts;
  }
}

function requestEvent(
  record: JsonObject,
  { at, conversation, isSideChain, key }: RecordFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = record["usageMetadata"];
  if (!isObject(logged)) return undefined;
  const usage = usageOf(logged);
  if (isNoUsage(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: key, request: null, line: null },
    isSideChain,
    model: idAt(tools, record, "model"),
    usage,
    merge: "first",
  };
}

/** The prompt includes its cached part. Providers count thoughts inside or next to the candidates: the total minus the prompt is the output of either. */
function usageOf(logged: JsonObject): LoggedUsage {
  const prompt = tokensFrom(logged["promptTokenCount"]);
  const cacheRead = Math.min(prompt, tokensFrom(logged["cachedContentTokenCount"]));
  const candidates = tokensFrom(logged["candidatesTokenCount"]);
  const reasoning = tokensFrom(logged["thoughtsTokenCount"]);
  const total = tokensFrom(logged["totalTokenCount"]);
  const withoutTotal = candidates > reasoning ? candidates : candidates + reasoning;
  return {
    uncached: prompt - cacheRead,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: total > prompt ? total - prompt : withoutTotal,
    reasoning,
  };
}

type AnswerFacts = RecordFacts & { readonly model: string | null };

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["success", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
]);

/** Undefined for any other part. Ids are unique within a session only. */
export function callUse(
  part: unknown,
  { at, conversation, isSideChain, key, callSession, model }: AnswerFacts,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const id = idAt(tools, part, "functionCall", "id");
  const joined = idAt(tools, part, "functionCall", "name");
  if (id === null || joined?.startsWith("mcp__") !== true) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id: `${callSession}/${id}`,
    name: { joined, form: "double" },
    method: "tools/call",
    ...argumentFacts(memberAt(part, "functionCall", "args"), tools, model),
    model,
    isSideChain,
    message: key,
  };
}

export function callResult(
  part: unknown,
  { at, conversation, callSession, model, status }: AnswerFacts & { readonly status: string },
  tools: ReaderTools,
): ToolResultEvent | undefined {
  const id = idAt(tools, part, "functionResponse", "id");
  const name = textAt(part, "functionResponse", "name");
  if (id === null || name?.startsWith("mcp__") !== true) return undefined;
  const response = memberAt(part, "functionResponse", "response");
  const shown = memberAt(response, "output") ?? memberAt(response, "error") ?? response ?? "";
  const isFailed = memberAt(response, "error") !== undefined;
  const media = arrayAt(part, "functionResponse", "parts");
  return {
    kind: "tool_result",
    at,
    conversation,
    id: `${callSession}/${id}`,
    outcome: outcomes.get(status) ?? (isFailed ? "tool_error" : "ok"),
    visible: "as_logged",
    ...textFacts([typeof shown === "string" ? shown : compactJson(shown)], model, tools),
    images: media.filter(
      (one) => textAt(one, "inlineData", "mimeType")?.startsWith("image/") === true,
    ).length,
    durationMs: null,
  };
}

/** The client's telemetry has the true name of the server and the duration. */
export function callEnd(
  event: unknown,
  { at, conversation, callSession }: RecordFacts,
  tools: ReaderTools,
): ToolEndEvent | undefined {
  const id = idAt(tools, event, "call_id");
  const server = idAt(tools, event, "mcp_server_name");
  const joined = idAt(tools, event, "function_name");
  if (id === null || server === null || joined === null) return undefined;
  const prefix = `mcp__${server.replaceAll(/[^\w-]/g, "_")}__`;
  return {
    kind: "tool_end",
    at,
    conversation,
    id: `${callSession}/${id}`,
    method: "tools/call",
    name: joined.startsWith(prefix)
      ? { server, tool: joined.slice(prefix.length) }
      : { joined, form: "double" },
    outcome: outcomes.get(textAt(event, "status") ?? "") ?? "tool_error",
    durationMs: durationFrom(memberAt(event, "duration_ms")),
    ...argumentFacts(memberAt(event, "function_args"), tools, null),
  };
}

type RecordFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
  readonly key: string | null;
  readonly callSession: string;
};
