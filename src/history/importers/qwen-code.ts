import type { Importer, LogForm, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  readFolderVariable,
  readId,
  parseTime,
  makeProjectFields,
  makeToolUse,
  measureArguments,
  parseDurationMs,
  isImageType,
  makeServerSettings,
  makeToolResult,
} from "./log-fields.ts";
import {
  readArray,
  isObject,
  type JsonObject,
  readMember,
  readString,
  stringifyCompact,
} from "#wire/json.ts";
import {
  type RequestEvent,
  type LoggedOutcome,
  type ToolEndEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
} from "../imports/log-event.ts";
import { escapeName } from "../imports/split-tool-names.ts";

// One JSONL file per session: a tree of records.
export const qwenCode: Importer = {
  name: "Qwen Code",
  serverNames: "logged",
  findFolders: (home) => [{ folder: `${findRuntimeFolder(home)}/projects`, detectForm }],
  unverified: [
    "no real log with forks or sub-agents was available; a record that a fork copied is assumed to name its original in `forkedFrom`",
    "requests without an answer are not counted, because they appear only in telemetry",
  ],
  findSettings: (home) => [makeServerSettings(`${findConfigFolder(home)}/settings.json`)],
  open: (path, utils) => new QwenReader(path, utils),
};

function findRuntimeFolder(home: UserHome): string {
  return readFolderVariable(home.env, "QWEN_RUNTIME_DIR") ?? findConfigFolder(home);
}

function findConfigFolder({ folder, env }: UserHome): string {
  return readFolderVariable(env, "QWEN_HOME") ?? `${folder}/.qwen`;
}

function detectForm(path: string): LogForm | undefined {
  return /^[^/]+\/chats\/(?:.+\/)?[^/]+\.jsonl$/.test(path) ? "lines" : undefined;
}

const knownTypes = new Set(["user", "assistant", "tool_result", "system"]);

type RecordFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
  readonly recordKey: string | null;
  readonly callSession: string;
};

// Reads abandoned branches as well: they were paid for.
export class QwenReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #session: string;
  readonly #emittedConversations = new Set<string>();
  #model: string | null = null;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? path;
  }

  take(record: JsonObject): void {
    const type = readString(record, "type") ?? "";
    if (!knownTypes.has(type)) return this.#utils.countUnknown();
    const facts = this.#readFacts(record);
    if (type === "assistant") this.#takeAnswer(record, facts);
    else if (type === "tool_result") this.#takeResults(record, facts);
    else if (type === "system") this.#takeSystem(record, facts);
  }

  #takeAnswer(record: JsonObject, facts: RecordFacts): void {
    this.#model = readId(this.#utils, record, "model") ?? this.#model;
    const request = parseRequest(record, facts, this.#utils);
    if (request) this.#utils.emit(request);
    for (const item of readArray(record, "message", "parts")) {
      const use = parseToolUse(item, { ...facts, model: this.#model }, this.#utils);
      if (use) this.#utils.emit(use);
    }
  }

  #takeResults(record: JsonObject, facts: RecordFacts): void {
    const status = readString(record, "toolCallResult", "status") ?? "";
    for (const item of readArray(record, "message", "parts")) {
      const result = parseResult(item, { ...facts, model: this.#model, status }, this.#utils);
      if (result) this.#utils.emit(result);
    }
  }

  #takeSystem(record: JsonObject, facts: RecordFacts): void {
    const { at, conversation, recordKey } = facts;
    const subtype = readString(record, "subtype");
    if (subtype === "chat_compression" || subtype === "rewind") {
      const reason = subtype === "rewind" ? "rewind" : "compaction";
      this.#utils.emit({ kind: "boundary", at, conversation, reason, line: recordKey });
    } else if (subtype === "ui_telemetry") {
      const end = parseCallEnd(readMember(record, "systemPayload", "uiEvent"), facts, this.#utils);
      if (end) this.#utils.emit(end);
    }
  }

  // A record that a fork copied has the original's ids in `forkedFrom`.
  #readFacts(record: JsonObject): RecordFacts {
    const utils = this.#utils;
    const session = readId(utils, record, "sessionId") ?? this.#session;
    const isSideChain = record["isSidechain"] === true;
    const agent = isSideChain ? readId(utils, record, "agentId") : null;
    const origin = readId(utils, record, "forkedFrom", "sessionId");
    const conversation = agent ?? session;
    const at = parseTime(record["timestamp"]);
    const facts = {
      at,
      conversation,
      isSideChain,
      recordKey:
        readId(utils, record, "forkedFrom", "messageUuid") ?? readId(utils, record, "uuid"),
      callSession: origin ?? session,
    };
    if (this.#emittedConversations.has(conversation)) return facts;
    this.#emittedConversations.add(conversation);
    utils.emit({
      ...makeConversation(conversation, at),
      session,
      role: agent === null ? (origin === null ? null : "fork") : "subagent",
      parent: agent === null ? origin : session,
      clientVersion: readId(utils, record, "version"),
      ...makeProjectFields(readString(record, "cwd"), utils),
    });
    return facts;
  }
}

function parseRequest(
  record: JsonObject,
  facts: RecordFacts,
  utils: ReaderUtils,
): RequestEvent | undefined {
  const logged = record["usageMetadata"];
  if (!isObject(logged)) return undefined;
  const usage = parseUsage(logged);
  if (isEmptyUsage(usage)) return undefined;
  const model = readId(utils, record, "model");
  const request = makeRequestEvent({ ...facts, model }, facts.recordKey, usage, "first");
  return { ...request, isSideChain: facts.isSideChain };
}

// Only some providers include thoughts in candidates. So if a total is logged, output is total minus prompt.
function parseUsage(logged: JsonObject): LoggedUsage {
  const prompt = parseTokens(logged["promptTokenCount"]);
  const cacheRead = Math.min(prompt, parseTokens(logged["cachedContentTokenCount"]));
  const candidates = parseTokens(logged["candidatesTokenCount"]);
  const reasoning = parseTokens(logged["thoughtsTokenCount"]);
  const total = parseTokens(logged["totalTokenCount"]);
  const withoutTotal = candidates > reasoning ? candidates : candidates + reasoning;
  return {
    ...noUsage,
    uncached: prompt - cacheRead,
    cacheRead,
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

function parseToolUse(
  item: unknown,
  facts: AnswerFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const callId = readId(utils, item, "functionCall", "id");
  const joined = readId(utils, item, "functionCall", "name");
  if (callId === null || joined?.startsWith("mcp__") !== true) return undefined;
  const id = `${facts.callSession}/${callId}`;
  const args = readMember(item, "functionCall", "args");
  const call = { id, name: { joined, form: "mcp__server__tool" }, args } as const;
  const use = makeToolUse({ ...facts, message: facts.recordKey }, call, utils);
  return { ...use, isSideChain: facts.isSideChain };
}

function parseResult(
  item: unknown,
  { status, ...facts }: AnswerFacts & { readonly status: string },
  utils: ReaderUtils,
): ToolResultEvent | undefined {
  const callId = readId(utils, item, "functionResponse", "id");
  const name = readString(item, "functionResponse", "name");
  if (callId === null || name?.startsWith("mcp__") !== true) return undefined;
  const response = readMember(item, "functionResponse", "response");
  const output = readMember(response, "output") ?? readMember(response, "error") ?? response ?? "";
  const isFailed = readMember(response, "error") !== undefined;
  const media = readArray(item, "functionResponse", "parts");
  const answer = {
    id: `${facts.callSession}/${callId}`,
    outcome: outcomes.get(status) ?? (isFailed ? "tool_error" : "ok"),
    texts: [typeof output === "string" ? output : stringifyCompact(output)],
    images: media.filter((medium) => isImageType(readString(medium, "inlineData", "mimeType")))
      .length,
  };
  return makeToolResult(facts, answer, utils);
}

// Only the client's telemetry has the server's real name and the duration.
function parseCallEnd(
  event: unknown,
  { at, conversation, callSession }: RecordFacts,
  utils: ReaderUtils,
): ToolEndEvent | undefined {
  const id = readId(utils, event, "call_id");
  const server = readId(utils, event, "mcp_server_name");
  const joined = readId(utils, event, "function_name");
  if (id === null || server === null || joined === null) return undefined;
  const prefix = `mcp__${escapeName(server)}__`;
  return {
    kind: "tool_end",
    at,
    conversation,
    id: `${callSession}/${id}`,
    method: "tools/call",
    name: joined.startsWith(prefix)
      ? { server, tool: joined.slice(prefix.length) }
      : { joined, form: "mcp__server__tool" },
    outcome: outcomes.get(readString(event, "status") ?? "") ?? "tool_error",
    durationMs: parseDurationMs(readMember(event, "duration_ms")),
    ...measureArguments(readMember(event, "function_args"), utils, null),
  };
}
