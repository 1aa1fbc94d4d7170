import { tryParseJson } from "#kit/errors.ts";
import type {
  FolderList,
  Importer,
  LogFolder,
  UserHome,
  LogReader,
  ReaderUtils,
} from "../imports/importer.ts";
import {
  findConfigHome,
  findDataHome,
  makeToolUse,
  isImageType,
  makeServerSettings,
  makeToolResult,
  parseCost,
  readFolderVariable,
  readId,
  parseSecondsOrMs,
} from "./log-fields.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type LoggedOutcome,
  type RequestEvent,
  type ToolName,
  type ToolResultEvent,
  type ToolUseEvent,
  isEmptyUsage,
  noUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  type CallFacts,
} from "../imports/log-event.ts";

export const crush: Importer = {
  name: "Crush",
  serverNames: "guessed",
  findFolders: (home) => [makeLogFolder(findDataFolder(home))],
  findFolderLists: (home) => [listProjects(findDataFolder(home))],
  findSettings: (home) => [makeServerSettings(`${findConfigHome(home)}/crush/crush.json`, "mcp")],
  // Messages are read first, because a session's tokens are attributed to the last model in its messages.
  queries: [
    {
      table: "messages",
      sql: `SELECT id, session_id, role, model, created_at, CASE WHEN octet_length(parts) <= ${importLineBytesMax} THEN parts END AS parts FROM messages ORDER BY rowid`,
    },
    {
      table: "sessions",
      sql: "SELECT id, parent_session_id, prompt_tokens, completion_tokens, cost, created_at, updated_at FROM sessions",
    },
  ],
  unverified: [
    "the log format is taken from Crush's source; no real log was available",
    "a session records the tokens of only its last request, but the cost of all its requests",
    "tool names are split at the first underscore after the prefix if the server is unknown",
  ],
  open: (_path, utils) => new CrushReader(utils),
};

function findDataFolder(home: UserHome): string {
  return readFolderVariable(home.env, "CRUSH_GLOBAL_DATA") ?? `${findDataHome(home)}/crush`;
}

function makeLogFolder(folder: string): LogFolder {
  return {
    folder,
    detectForm: (path) => (path === "crush.db" ? "database" : undefined),
    mayEnter: () => false,
  };
}

export const listedProjectsMax = 10_000;

function listProjects(folder: string): FolderList {
  return {
    file: `${folder}/projects.json`,
    parse: (list) => {
      const folders = readArray(list, "projects")
        .slice(0, listedProjectsMax)
        .flatMap((project) => readString(project, "data_dir") ?? [])
        .filter((path) => /^(?:\/|[a-z]:[\\/])/i.test(path));
      return [...new Set(folders)].map(makeLogFolder);
    },
  };
}

class CrushReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #modelsBySession = new Map<string, string>();

  constructor(utils: ReaderUtils) {
    this.#utils = utils;
  }

  take(line: JsonObject): void {
    const { table, row } = line;
    if (table === "messages" && isObject(row)) this.#takeMessage(row);
    else if (table === "sessions" && isObject(row)) this.#takeSession(row);
    else this.#utils.countUnknown();
  }

  #takeSession(row: JsonObject): void {
    const id = readId(this.#utils, row, "id");
    if (id === null) return this.#utils.countBad();
    const parent = readId(this.#utils, row, "parent_session_id");
    this.#utils.emit({
      ...makeConversation(id, parseSecondsOrMs(row["created_at"])),
      session: parent ?? id,
      role: parent === null ? null : "subagent",
      parent,
      isApproximate: true,
    });
    const request = parseRequest(row, { id, parent, model: this.#modelsBySession.get(id) ?? null });
    if (request) this.#utils.emit(request);
  }

  #takeMessage(row: JsonObject): void {
    const conversation = readId(this.#utils, row, "session_id");
    const parts = tryParseJson(readString(row, "parts"));
    if (conversation === null || !Array.isArray(parts)) return this.#utils.countBad();
    const model =
      readId(this.#utils, row, "model") ?? this.#modelsBySession.get(conversation) ?? null;
    if (model !== null && row["role"] === "assistant")
      this.#modelsBySession.set(conversation, model);
    const facts = { at: parseSecondsOrMs(row["created_at"]), conversation, model };
    for (const part of parts) {
      const event = parsePart(part, facts, this.#utils);
      if (event) this.#utils.emit(event);
    }
  }
}

type SessionFacts = {
  readonly id: string;
  readonly parent: string | null;
  readonly model: string | null;
};

// `prompt_tokens` includes cached tokens; no column counts them separately.
function parseRequest(
  row: JsonObject,
  { id, parent, model }: SessionFacts,
): RequestEvent | undefined {
  const usage = {
    ...noUsage,
    uncached: parseTokens(row["prompt_tokens"]),
    output: parseTokens(row["completion_tokens"]),
  };
  if (isEmptyUsage(usage)) return undefined;
  const facts = { at: parseSecondsOrMs(row["updated_at"]), conversation: id, model };
  const request = makeRequestEvent(facts, id, usage, "largest");
  // The cost of a sub-agent is already included in the cost of its parent session.
  return { ...request, nativeCost: parent === null ? parseCost(row["cost"]) : undefined };
}

function parsePart(
  part: unknown,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolUseEvent | ToolResultEvent | undefined {
  const type = readString(part, "type");
  const data = readMember(part, "data");
  if (type === "tool_call") return parseToolUse(data, facts, utils);
  return type === "tool_result" ? parseResult(data, facts, utils) : undefined;
}

function parseToolUse(
  data: unknown,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const callId = readId(utils, data, "id");
  const args = readMember(data, "input");
  const name = parseName(data, args, utils);
  if (callId === null || name === undefined) return undefined;
  // Some models restart call ids in every session.
  const id = `${facts.conversation}/${callId}`;
  const method = "server" in name ? "resources/read" : "tools/call";
  return makeToolUse({ ...facts, message: null }, { id, name, method, args }, utils);
}

function parseName(data: unknown, args: unknown, utils: ReaderUtils): ToolName | undefined {
  const joined = readId(utils, data, "name");
  if (joined?.startsWith("mcp_") === true) return { joined, form: "mcp_server_tool" };
  if (joined !== "read_mcp_resource" || typeof args !== "string") return undefined;
  const server = readId(utils, tryParseJson(args), "mcp_name");
  return server === null ? undefined : { server, tool: "resources/read" };
}

function parseResult(
  data: unknown,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolResultEvent | undefined {
  const callId = readId(utils, data, "tool_call_id");
  if (callId === null) return undefined;
  const text = readString(data, "content") ?? "";
  const isFailed = readMember(data, "is_error") === true;
  const failure: LoggedOutcome = text === "User denied permission" ? "denied" : "tool_error";
  const outcome = isFailed ? failure : "ok";
  const id = `${facts.conversation}/${callId}`;
  const images = isImageType(readString(data, "mime_type")) ? 1 : 0;
  return makeToolResult(facts, { id, outcome, texts: [text], images }, utils);
}
