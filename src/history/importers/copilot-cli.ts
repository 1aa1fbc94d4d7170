import type { Importer, LogForm, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  readFolderVariable,
  makeProjectFields,
  makeToolUse,
  readId,
  makeServerSettings,
  makeToolResult,
  parseTime,
  importedModelsMax,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readString, readMember } from "#wire/json.ts";
import {
  type ToolResultEvent,
  type ToolUseEvent,
  type SessionTotalEvent,
  type RequestEvent,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
  splitInput,
} from "../imports/log-event.ts";

export const copilotCli: Importer = {
  name: "Copilot CLI",
  serverNames: "logged",
  findFolders: (home) => [{ folder: `${findSettingsFolder(home)}/session-state`, detectForm }],
  unverified: [
    "the logged input of every model is assumed to include cache reads and writes",
    "no real log with compactions or sub-agents was available",
  ],
  findSettings: (home) => [makeServerSettings(`${findSettingsFolder(home)}/mcp-config.json`)],
  open: (path, utils) => new CopilotReader(path, utils),
};

function findSettingsFolder({ folder, env }: UserHome): string {
  return readFolderVariable(env, "COPILOT_HOME") ?? `${folder}/.copilot`;
}

// Older versions store the events of a session in a file next to the session folders.
function detectForm(path: string): LogForm | undefined {
  return /^[^/]+\/events\.jsonl$|^[^/]+\.jsonl$/.test(path) && path !== "history.jsonl"
    ? "lines"
    : undefined;
}

// New event types of these families are not reported as unknown: they are assumed to contain nothing to count.
const knownFamilies =
  /^(?:abort|assistant|command|external_tool|hook|mcp|permission|session|skill|subagent|system|tool|user)(?:\.|$)/;

type EventFacts = { readonly at: number | null; readonly conversation: string };

export class CopilotReader implements LogReader {
  readonly #utils: ReaderUtils;
  #session: string;
  #isConversationEmitted = false;
  readonly #openCalls = new Set<string>();
  #lastRequestKey: string | null = null;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    const [, folder, file] = /^(?:(.*)\/events|(.*))\.jsonl$/.exec(path) ?? [];
    this.#session = folder ?? file ?? path;
  }

  take(event: JsonObject): void {
    const type = readString(event, "type") ?? "";
    if (!knownFamilies.test(type)) return this.#utils.countUnknown();
    const data = isObject(event["data"]) ? event["data"] : {};
    const at = parseTime(event["timestamp"]);
    if (type === "session.start" || type === "session.resume") this.#begin(data, at);
    this.#emitConversation({}, at);
    const facts = { at, conversation: this.#session };
    if (type === "session.usage_record") this.#takeUsage(data, facts);
    else if (type === "session.shutdown") {
      const models = parseSessionTotal(data, this.#utils);
      this.#utils.emit({ kind: "session_total", ...facts, models });
    } else if (type.startsWith("tool.execution_")) this.#takeCall(type, data, facts);
    else this.#takeBoundary(type, event, facts);
  }

  #begin(data: JsonObject, at: number | null): void {
    const session = readId(this.#utils, data, "sessionId") ?? this.#session;
    if (session !== this.#session) this.#isConversationEmitted = false;
    this.#session = session;
    this.#emitConversation(data, at);
  }

  #emitConversation(data: JsonObject, at: number | null): void {
    if (this.#isConversationEmitted) return;
    this.#isConversationEmitted = true;
    this.#utils.emit({
      ...makeConversation(this.#session, at),
      clientVersion: readId(this.#utils, data, "copilotVersion"),
      ...makeProjectFields(readString(data, "context", "cwd"), this.#utils),
    });
  }

  #takeUsage(data: JsonObject, facts: EventFacts): void {
    const event = parseUsageEvent(data, facts, this.#utils);
    if (!event) return;
    this.#lastRequestKey = event.keys.message;
    this.#utils.emit(event);
  }

  #takeCall(type: string, data: JsonObject, facts: EventFacts): void {
    const event = parseCall(
      type,
      data,
      { ...facts, requestKey: this.#lastRequestKey },
      this.#utils,
    );
    // A result carries no tool name. `#openCalls` has only calls of MCP tools, so results of other tools are dropped.
    if (event?.kind === "tool_use") this.#openCalls.add(event.id);
    if (event?.kind === "tool_result" && !this.#openCalls.delete(event.id)) return;
    if (event) this.#utils.emit(event);
  }

  #takeBoundary(type: string, event: JsonObject, { at, conversation }: EventFacts): void {
    const reason = boundaryReasons.get(type);
    const line = readId(this.#utils, event, "id");
    if (reason) this.#utils.emit({ kind: "boundary", at, conversation, reason, line });
  }
}

const boundaryReasons: ReadonlyMap<string, "compaction" | "rewind" | "clear"> = new Map([
  ["session.compaction_complete", "compaction"],
  ["session.snapshot_rewind", "rewind"],
  ["session.truncation", "clear"],
]);

type ToolFacts = EventFacts & {
  readonly requestKey: string | null;
};

function parseCall(
  type: string,
  data: JsonObject,
  facts: ToolFacts,
  utils: ReaderUtils,
): ToolUseEvent | ToolResultEvent | undefined {
  const callId = readId(utils, data, "toolCallId");
  if (callId === null) return undefined;
  // Some models restart call ids in every session.
  const id = `${facts.conversation}/${callId}`;
  if (type === "tool.execution_start") return parseToolUse(id, data, facts, utils);
  return type === "tool.execution_complete" ? parseResult(id, data, facts, utils) : undefined;
}

function parseToolUse(
  id: string,
  data: JsonObject,
  { at, conversation, requestKey: message }: ToolFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const server = readId(utils, data, "mcpServerName");
  const tool = readId(utils, data, "mcpToolName");
  if (server === null || tool === null) return undefined;
  const model = readId(utils, data, "model");
  const call = { id, name: { server, tool }, args: data["arguments"] };
  const use = makeToolUse({ at, conversation, model, message }, call, utils);
  return { ...use, isSideChain: readString(data, "parentToolCallId") !== undefined };
}

// If the answer was written to a file, `content` is a note about the file.
function parseResult(
  id: string,
  data: JsonObject,
  { at, conversation }: ToolFacts,
  utils: ReaderUtils,
): ToolResultEvent {
  const isOk = data["success"] === true;
  const text = isOk ? readString(data, "result", "content") : readString(data, "error", "message");
  const { toolTelemetry } = data;
  const isSpilled =
    isObject(toolTelemetry) &&
    readString(toolTelemetry, "properties", "largeOutputWrittenToFile") === "true";
  const media = readArray(data, "result", "binaryResultsForLlm");
  const outcome = isOk ? "ok" : "tool_error";
  const images = media.filter((medium) => readString(medium, "type") === "image").length;
  const facts = { at, conversation, model: readId(utils, data, "model") };
  const result = makeToolResult(facts, { id, outcome, texts: [text ?? ""], images }, utils);
  return isSpilled ? { ...result, visible: "spilled" } : result;
}

export function parseSessionTotal(
  data: JsonObject,
  utils: ReaderUtils,
): SessionTotalEvent["models"] {
  const metrics = isObject(data["modelMetrics"]) ? data["modelMetrics"] : {};
  return Object.entries(metrics)
    .slice(0, importedModelsMax)
    .flatMap(([name, entry]) => {
      const model = readId(utils, { name }, "name");
      if (model === null || !isObject(entry) || !isObject(entry["usage"])) return [];
      return [{ model, usage: parseUsage(entry["usage"]) }];
    });
}

function parseUsageEvent(
  data: JsonObject,
  { at, conversation }: EventFacts,
  utils: ReaderUtils,
): RequestEvent | undefined {
  const { usage } = data;
  if (!isObject(usage)) return undefined;
  const facts = { at, conversation, model: readId(utils, usage, "model") };
  const key = makeRequestKey(usage, conversation, utils);
  return makeRequestEvent(facts, key, parseUsage(usage), "last");
}

function makeRequestKey(
  usage: JsonObject,
  conversation: string,
  utils: ReaderUtils,
): string | null {
  const source = readId(utils, usage, "accounting", "sourceSessionId") ?? conversation;
  const sequence = readMember(usage, "accounting", "sequence");
  if (typeof sequence === "number") return `${source}/${sequence}`;
  const call = readId(utils, usage, "apiCallId");
  return call === null ? null : `${source}/${call}`;
}

// The logged output includes reasoning.
function parseUsage(usage: JsonObject): LoggedUsage {
  const read = parseTokens(usage["cacheReadTokens"]);
  const written = parseTokens(usage["cacheWriteTokens"]);
  return {
    ...noUsage,
    ...splitInput(parseTokens(usage["inputTokens"]), read, written),
    output: parseTokens(usage["outputTokens"]),
    reasoning: parseTokens(usage["reasoningTokens"]),
  };
}
