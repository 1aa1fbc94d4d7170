import type { Importer, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  isImageType,
  makeServerSettings,
  readFolderVariable,
  readId,
  parseTime,
  makeToolUse,
  measureTexts,
} from "./log-fields.ts";
import {
  type BoundaryEvent,
  type LogEvent,
  type LoggedOutcome,
  type ToolName,
  type ToolResultEvent,
  type ToolUseEvent,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
  type CallFacts,
} from "../imports/log-event.ts";
import {
  readArray,
  isObject,
  type JsonObject,
  readMember,
  readString,
  stringifyCompact,
} from "#wire/json.ts";

// Each session and each sub-agent has a JSONL file. Before 2026, the file was one JSON document.
export const geminiCli: Importer = {
  name: "Gemini CLI",
  serverNames: "guessed",
  findFolders: (home) => [{ folder: `${findHome(home)}/.gemini/tmp`, detectForm }],
  findSettings: (home) => [makeServerSettings(`${findHome(home)}/.gemini/settings.json`)],
  retention: { days: 30, setting: "sessionRetention" },
  open: (path, utils) => new GeminiReader(path, utils),
};

function findHome({ folder, env }: UserHome): string {
  return readFolderVariable(env, "GEMINI_CLI_HOME") ?? folder;
}

// The folder of a project also holds JSON files that are not sessions.
function detectForm(path: string): "lines" | "document" | undefined {
  if (!/^[^/]+\/chats\//.test(path)) return undefined;
  if (path.endsWith(".jsonl")) return "lines";
  return /\/session-[^/]*\.json$/.test(path) ? "document" : undefined;
}

const ignoredMessages = new Set(["user", "info", "warning", "error"]);

export class GeminiReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #parent: string | null;
  #session: string;
  #isConversationEmitted = false;
  #at: number | null = null;
  #boundaryCount = 0;
  #hasMessages = false;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#parent = /\/chats\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? null;
    this.#session = /([^/]+)\.jsonl?$/.exec(path)?.[1] ?? path;
  }

  take(line: JsonObject): void {
    if (readString(line, "sessionId") !== undefined) this.#takeMetadata(line);
    else if (isObject(line["$set"])) this.#takeUpdate(line["$set"]);
    else if (readString(line, "$rewindTo") !== undefined) this.#emitBoundary("rewind");
    else if (readString(line, "id") !== undefined) this.#takeMessage(line);
    else this.#utils.countUnknown();
  }

  // A session that is resumed has several lines with metadata.
  #takeMetadata(line: JsonObject): void {
    this.#session = readId(this.#utils, line, "sessionId") ?? this.#session;
    this.#isConversationEmitted = false;
    this.#at = parseTime(line["startTime"]) ?? this.#at;
    this.#emitConversation(readString(line, "kind") === "subagent");
    this.#takeMessages(line);
  }

  // A checkpoint replaces the list of messages. The replaced messages still count, because they were paid for.
  #takeUpdate(change: JsonObject): void {
    const messages = readArray(change, "messages");
    if (messages.length > 0 && this.#hasMessages) this.#emitBoundary("clear");
    this.#takeMessages(change);
  }

  #takeMessages(holder: JsonObject): void {
    for (const message of readArray(holder, "messages")) {
      if (isObject(message)) this.#takeMessage(message);
    }
  }

  #takeMessage(message: JsonObject): void {
    const type = readString(message, "type") ?? "";
    this.#at = parseTime(message["timestamp"]) ?? this.#at;
    if (type !== "gemini") {
      if (!ignoredMessages.has(type)) this.#utils.countUnknown();
      return;
    }
    this.#hasMessages = true;
    this.#emitConversation(this.#parent !== null);
    const facts = { at: this.#at, conversation: this.#session };
    for (const event of parseMessage(message, facts, this.#utils)) this.#utils.emit(event);
  }

  #emitBoundary(reason: BoundaryEvent["reason"]): void {
    this.#boundaryCount += 1;
    const line = `${this.#session}/${this.#boundaryCount}`;
    this.#utils.emit({ kind: "boundary", at: this.#at, conversation: this.#session, reason, line });
  }

  #emitConversation(isSubagent: boolean): void {
    if (this.#isConversationEmitted) return;
    this.#isConversationEmitted = true;
    this.#utils.emit({
      ...makeConversation(this.#session, this.#at),
      role: isSubagent || this.#parent !== null ? "subagent" : "main",
      parent: this.#parent,
    });
  }
}

type MessageFacts = { readonly at: number | null; readonly conversation: string };

export function parseMessage(
  message: JsonObject,
  facts: MessageFacts,
  utils: ReaderUtils,
): readonly LogEvent[] {
  const model = readId(utils, message, "model");
  const id = readId(utils, message, "id");
  // Ids are unique only within a session.
  const messageKey = id === null ? null : `${facts.conversation}/${id}`;
  const { tokens } = message;
  // A message without `tokens` was logged before its answer came, or never got an answer.
  const requests = isObject(tokens)
    ? [makeRequestEvent({ ...facts, model }, messageKey, parseUsage(tokens), "last")]
    : [];
  const calls = readArray(message, "toolCalls").flatMap((call) =>
    parseCall(call, { ...facts, message: messageKey, model }, utils),
  );
  return [...requests, ...calls];
}

// `input` includes cached tokens but not tool prompts; `output` excludes thoughts.
function parseUsage(tokens: JsonObject): LoggedUsage {
  const cached = parseTokens(tokens["cached"]);
  const thoughts = parseTokens(tokens["thoughts"]);
  return {
    ...noUsage,
    uncached: Math.max(0, parseTokens(tokens["input"]) - cached) + parseTokens(tokens["tool"]),
    cacheRead: cached,
    output: parseTokens(tokens["output"]) + thoughts,
    reasoning: thoughts,
  };
}

type RequestedCallFacts = CallFacts & { readonly message: string | null };

function parseCall(
  call: unknown,
  facts: RequestedCallFacts,
  utils: ReaderUtils,
): readonly (ToolUseEvent | ToolResultEvent)[] {
  const callId = readId(utils, call, "id");
  if (!isObject(call) || callId === null) return [];
  const name = parseToolName(call, utils);
  if (name === undefined) return [];
  const { conversation, message, model } = facts;
  const at = parseTime(call["timestamp"]) ?? facts.at;
  const id = `${conversation}/${callId}`;
  const shared = { at, conversation, model };
  const use = makeToolUse({ ...shared, message }, { id, name, args: call["args"] }, utils);
  const outcome = outcomes.get(readString(call, "status") ?? "");
  const { result } = call;
  if (!hasContent(result) && outcome === undefined) return [use];
  return [use, parseResult(result, { ...shared, id, outcome }, utils)];
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["success", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
]);

// A `displayName`, such as `search (docs MCP Server)`, is never shortened; a `name` may be.
function parseToolName(call: JsonObject, utils: ReaderUtils): ToolName | undefined {
  const displayed = /^(.+) \((.+) MCP Server\)$/su.exec(readId(utils, call, "displayName") ?? "");
  if (displayed?.[1] !== undefined && displayed[2] !== undefined) {
    return { server: displayed[2], tool: displayed[1] };
  }
  const joined = readId(utils, call, "name") ?? "";
  if (joined.startsWith("mcp_")) return { joined, form: "mcp_server_tool" };
  // Before 2026, most names of tools did not contain the server. The server was a prefix only if several servers had
  // tools of the same name. Names of built-in tools do not contain `__`.
  return joined.includes("__") ? { joined, form: "extension__tool" } : undefined;
}

type AnswerFacts = Pick<ToolResultEvent, "at" | "conversation" | "id"> & {
  readonly outcome: LoggedOutcome | undefined;
  readonly model: string | null;
};

function parseResult(
  result: unknown,
  { outcome = "ok", model, ...facts }: AnswerFacts,
  utils: ReaderUtils,
): ToolResultEvent {
  const shared = { kind: "tool_result", ...facts, outcome } as const;
  if (!hasContent(result)) {
    return { ...shared, visible: "none", bytes: null, tokens: null, images: 0 };
  }
  const items: readonly unknown[] = Array.isArray(result) ? result : [result];
  const size = measureTexts(items.flatMap(readTexts), utils, model);
  const images = items.filter((item) =>
    isImageType(readString(item, "inlineData", "mimeType")),
  ).length;
  return { ...shared, visible: "as_logged", ...size, images };
}

// A result is a string, an object, or a list of strings and objects.
function hasContent(result: unknown): boolean {
  return typeof result === "string" || (typeof result === "object" && result !== null);
}

function readTexts(item: unknown): readonly string[] {
  const text = typeof item === "string" ? item : readString(item, "text");
  if (text !== undefined) return [text];
  if (readMember(item, "inlineData") !== undefined) return [];
  const response = readMember(item, "functionResponse", "response");
  if (response === undefined) return isObject(item) ? [stringifyCompact(item)] : [];
  const output = readMember(response, "output") ?? readMember(response, "error") ?? response;
  return [typeof output === "string" ? output : stringifyCompact(output)];
}
