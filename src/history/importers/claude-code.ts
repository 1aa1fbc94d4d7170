import type {
  Importer,
  UserHome,
  LogFolder,
  ServerSettings,
  LogReader,
  ReaderUtils,
} from "../imports/importer.ts";
import {
  findConfigHome,
  makeToolUse,
  readId,
  makeProjectFields,
  parseTime,
  importedModelsMax,
} from "./log-fields.ts";
import { parseRaw, RawJson } from "../imports/raw-json.ts";
import { MemberParser } from "../imports/member-parser.ts";
import {
  type EntryEvent,
  type ToolName,
  type ToolUseEvent,
  type SessionTotalEvent,
  type ToolListEvent,
  parseTokens,
} from "../imports/log-event.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { type LineFacts, parseResult, parseRequest } from "./claude-code/requests-and-results.ts";
import { nameCharactersMax } from "#kit/limits.ts";

// Each session and each sub-agent has a JSONL file.
export const claudeCode: Importer = {
  name: "Claude Code",
  serverNames: "logged",
  findFolders: (home) => findConfigFolders(home).map(makeProjectsFolder),
  findSettings,
  retention: { days: 30, setting: "cleanupPeriodDays" },
  unverified: [
    "older versions are assumed to log a sub-agent as a chain of lines in the session's file",
  ],
  lines: new MemberParser({
    type: "value",
    subtype: "value",
    timestamp: "time",
    sessionId: "value",
    agentId: "value",
    isSidechain: "value",
    forkedFrom: { sessionId: "value" },
    version: "value",
    cwd: "value",
    uuid: "raw",
    parentUuid: "raw",
    requestId: "value",
    isApiErrorMessage: "value",
    toolDenialKind: "value",
    message: {
      id: "value",
      model: "value",
      usage: {
        input_tokens: "value",
        cache_read_input_tokens: "value",
        cache_creation_input_tokens: "value",
        cache_creation: { ephemeral_1h_input_tokens: "value", ephemeral_5m_input_tokens: "value" },
        output_tokens: "value",
        output_tokens_details: { thinking_tokens: "value" },
      },
      content: [
        "raw",
        {
          type: "value",
          id: "value",
          name: "value",
          input: "raw",
          tool_use_id: "value",
          is_error: "value",
          content: ["raw", { type: "value", text: "raw" }],
        },
      ],
    },
    attachment: { type: "value", addedNames: "value", removedNames: "value" },
    rendered: "raw",
    startTime: "value",
    modelUsage: "value",
  }),
  open: (path, utils) => new ClaudeCodeReader(path, utils),
};

function findConfigFolders(home: UserHome): readonly string[] {
  const folders = (home.env["CLAUDE_CONFIG_DIR"] ?? "").split(",").map((entry) => entry.trim());
  const absolute = folders.filter((path) => path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path));
  if (absolute.length > 0) return absolute;
  return [`${findConfigHome(home)}/claude`, `${home.folder}/.claude`];
}

function findSettings({ folder, env }: UserHome): readonly ServerSettings[] {
  const configFolder = env["CLAUDE_CONFIG_DIR"];
  const isOneFolder = configFolder?.startsWith("/") === true && !configFolder.includes(",");
  const base = isOneFolder ? configFolder : folder;
  const paths = [["mcpServers"], ["projects", "*", "mcpServers"]];
  return [{ file: `${base}/.claude.json`, form: "json", paths }];
}

function makeProjectsFolder(config: string): LogFolder {
  const trimmed = config.replace(/[\\/]+$/, "");
  return {
    folder: /(?:^|[\\/])projects$/.test(trimmed) ? trimmed : `${trimmed}/projects`,
    detectForm: (path) => (isSessionLog(path) ? "lines" : undefined),
    // A session is read together with its folder of sub-agents.
    makeGroupKey: (path) =>
      path
        .split("/", 2)
        .join("/")
        .replace(/\.jsonl$/, ""),
  };
}

// The projects folder also holds oversized answers and the user's prompt history.
function isSessionLog(path: string): boolean {
  const isExcluded = path.includes("/tool-results/") || path.endsWith("/history.jsonl");
  return path.endsWith(".jsonl") && path.includes("/") && !isExcluded;
}

export class ClaudeCodeReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #agent: string | null;
  readonly #session: string;
  readonly #emittedConversations = new Set<string>();
  readonly #modelsByCall = new Map<string, string | null>();
  readonly #agentsByLine = new Map<string, string>();
  #at: number | null = null;
  #unnamedAgent: string | null = null;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#agent = /(?:^|\/)agent-([^/]+)\.jsonl$/.exec(path)?.[1] ?? null;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? path;
  }

  take(line: JsonObject): void {
    const type = readString(line, "type") ?? "";
    if (!knownTypes.has(type)) this.#utils.countUnknown();
    this.#at = parseTime(line["timestamp"]) ?? this.#at;
    this.#unnamedAgent = this.#findUnnamedAgent(line);
    if (type === "cost-state") this.#takeTotal(line);
    else if (type === "assistant") this.#takeAnswer(line);
    else if (type === "user") this.#takeUser(line);
    else if (type === "attachment") this.#takeAttachment(line);
    else if (type === "system") this.#takeSystem(line);
  }

  // Older versions log sub-agents in the session's file, without `agentId`. There, the `uuid` of an agent's first
  // line is the agent's id.
  #findUnnamedAgent(line: JsonObject): string | null {
    if (this.#agent !== null || line["isSidechain"] !== true) return null;
    const id = readId(this.#utils, line, "uuid");
    const agent = this.#agentsByLine.get(readId(this.#utils, line, "parentUuid") ?? "") ?? id;
    if (id !== null && agent !== null) this.#agentsByLine.set(id, agent);
    return agent;
  }

  #takeAnswer(line: JsonObject): void {
    const facts = this.#readFacts(line);
    const request = parseRequest(line, facts, this.#utils);
    if (request) this.#utils.emit(request);
    const model = readId(this.#utils, line, "message", "model");
    const message = readId(this.#utils, line, "message", "id");
    // If the log shows reasoning but no tokens for it, emits an entry, so that `validate` leaves out the next turn.
    if (showsReasoning(line) && request?.usage.reasoning === 0) this.#emitEntry(line, "reasoning");
    for (const block of readArray(line, "message", "content")) {
      const use = parseToolUse(block, { ...facts, model, message }, this.#utils);
      if (!use) continue;
      this.#modelsByCall.set(use.id, use.model);
      this.#utils.emit(use);
    }
  }

  #emitEntry(line: JsonObject, entry: EntryEvent["entry"]): void {
    const { at, conversation } = this.#readFacts(line);
    if (!this.#utils.keepsEntries) return;
    const key = readId(this.#utils, line, "uuid");
    this.#utils.emit({ kind: "entry", at, conversation, entry, line: key });
  }

  #takeAttachment(line: JsonObject): void {
    if (addsText(line)) this.#emitEntry(line, "text");
    const names = parseListedNames(line);
    if (!names) return;
    const { at, conversation } = this.#readFacts(line);
    this.#utils.emit({ kind: "tool_list", at, conversation, ...names, form: "mcp__server__tool" });
  }

  #takeUser(line: JsonObject): void {
    if (addsText(line)) this.#emitEntry(line, "text");
    this.#takeResults(line);
  }

  #takeResults(line: JsonObject): void {
    const blocks = readArray(line, "message", "content").filter(
      (block) => isObject(block) && block["type"] === "tool_result",
    );
    if (blocks.length === 0) return;
    const facts = this.#readFacts(line);
    for (const block of blocks) {
      const id = readId(this.#utils, block, "tool_use_id");
      const model = id === null ? undefined : this.#modelsByCall.get(id);
      if (id === null || model === undefined) {
        this.#emitEntry(line, "other_result");
        continue;
      }
      this.#modelsByCall.delete(id);
      const isDenied = readString(line, "toolDenialKind") !== undefined;
      this.#utils.emit({ ...parseResult(block, { id, model, isDenied }, this.#utils), ...facts });
    }
  }

  #takeSystem(line: JsonObject): void {
    if (line["subtype"] !== "compact_boundary") return;
    const { at, conversation } = this.#readFacts(line);
    const key = readId(this.#utils, line, "uuid");
    this.#utils.emit({ kind: "boundary", at, conversation, reason: "compaction", line: key });
  }

  #takeTotal(line: JsonObject): void {
    const { at, conversation } = this.#readFacts(line);
    const startMs = parseTime(line["startTime"]);
    const models = parseSessionTotal(line);
    this.#utils.emit({ kind: "session_total", at, conversation, startMs, models });
  }

  // Also emits a conversation at its first line.
  #readFacts(line: JsonObject): LineFacts {
    const session = readId(this.#utils, line, "sessionId") ?? this.#session;
    const agent = readId(this.#utils, line, "agentId") ?? this.#agent ?? this.#unnamedAgent;
    const isSideChain = line["isSidechain"] === true || this.#agent !== null;
    const isSubagent = isSideChain && agent !== null;
    const conversation = isSubagent ? agent : session;
    const facts = { at: this.#at, conversation, isSideChain };
    if (this.#emittedConversations.has(conversation)) return facts;
    this.#emittedConversations.add(conversation);
    const origin = readId(this.#utils, line, "forkedFrom", "sessionId");
    this.#utils.emit({
      kind: "conversation",
      at: this.#at,
      conversation,
      session,
      role: isSubagent ? "subagent" : origin === null ? null : "fork",
      parent: isSubagent ? session : origin,
      clientVersion: readId(this.#utils, line, "version"),
      ...makeProjectFields(readString(line, "cwd"), this.#utils),
    });
    return facts;
  }
}

const knownTypes: ReadonlySet<string> = new Set([
  "assistant",
  "user",
  "system",
  "attachment",
  "cost-state",
  "agent-name",
  "agent-setting",
  "ai-title",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "content-replacement",
  "custom-title",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "summary",
  "tag",
  "tools-used",
]);

const internalAttachments: ReadonlySet<string> = new Set([
  "prompt_snapshot",
  "deferred_tools_record",
]);

function addsText(line: JsonObject): boolean {
  if (readString(line, "type") === "attachment") {
    const isRendered = readMember(line, "rendered") !== undefined;
    return isRendered || !internalAttachments.has(readString(line, "attachment", "type") ?? "");
  }
  const content = parseRaw(readMember(line, "message", "content"));
  if (typeof content === "string") return content !== "";
  return readArray(line, "message", "content").some(
    (block) => isObject(block) && !(block instanceof RawJson) && block["type"] !== "tool_result",
  );
}

function showsReasoning(line: JsonObject): boolean {
  return readArray(line, "message", "content").some((block) => {
    const type = readString(block, "type");
    return type === "thinking" || type === "redacted_thinking";
  });
}

const resourceTool = "ReadMcpResourceTool";

type AnswerFacts = LineFacts & { readonly model: string | null; readonly message: string | null };

function parseToolUse(
  block: unknown,
  facts: AnswerFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const id = readId(utils, block, "id");
  if (!isObject(block) || block["type"] !== "tool_use" || id === null) return undefined;
  const name = parseToolName(block, utils);
  if (name === undefined) return undefined;
  const method = block["name"] === resourceTool ? "resources/read" : "tools/call";
  const use = makeToolUse(facts, { id, name, method, args: block["input"] }, utils);
  return { ...use, isSideChain: facts.isSideChain };
}

function parseToolName(block: JsonObject, utils: ReaderUtils): ToolName | undefined {
  if (block["name"] === resourceTool) {
    const server = readId(utils, parseRaw(block["input"]), "server");
    return server === null ? undefined : { server, tool: "resources/read" };
  }
  const joined = readId(utils, block, "name");
  return joined?.startsWith("mcp__") === true ? { joined, form: "mcp__server__tool" } : undefined;
}

export function parseSessionTotal(line: JsonObject): SessionTotalEvent["models"] {
  const models = isObject(line["modelUsage"]) ? Object.entries(line["modelUsage"]) : [];
  return models.slice(0, importedModelsMax).map(([name, usage]) => ({
    model: name.slice(0, nameCharactersMax).toWellFormed(),
    usage: parseUsage(isObject(usage) ? usage : {}),
  }));
}

function parseUsage(usage: JsonObject): SessionTotalEvent["models"][number]["usage"] {
  const written = parseTokens(usage["cacheCreationInputTokens"]);
  const written1h = parseTokens(usage["cacheCreationEphemeral1hInputTokens"]);
  return {
    uncached: parseTokens(usage["inputTokens"]),
    cacheRead: parseTokens(usage["cacheReadInputTokens"]),
    cacheWrite5m: Math.max(0, written - written1h),
    cacheWrite1h: written1h,
    output: parseTokens(usage["outputTokens"]),
    reasoning: parseTokens(usage["thinkingTokens"]),
  };
}

// More than any model can choose from.
const loggedNamesMax = 2_000;

// Model APIs accept only letters, digits, `_` and `-` in names. Any other string may be message text and is not stored.
const toolNamePattern = /^mcp__[\w-]+$/;

// For some tools, Claude Code gives its model only names. The model requests the definitions that it needs.
function parseListedNames(line: JsonObject): Pick<ToolListEvent, "added" | "removed"> | undefined {
  if (readString(line, "attachment", "type") !== "deferred_tools_delta") return undefined;
  const added = readNames(line, "addedNames");
  const removed = readNames(line, "removedNames");
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

function readNames(line: JsonObject, member: string): readonly string[] {
  return readArray(line, "attachment", member)
    .slice(0, loggedNamesMax)
    .filter((name) => typeof name === "string")
    .filter((name) => name.length <= nameCharactersMax && toolNamePattern.test(name));
}
