import type { Importer, LogForm, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  findDataHome,
  readFolderVariable,
  makeProjectFields,
  makeToolUse,
  readId,
  makeToolResult,
  parseTime,
  parseSecondsOrMs,
} from "./log-fields.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { tryParseJson } from "#kit/errors.ts";
import {
  type LogEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  noUsage,
  splitInput,
  type CallFacts,
} from "../imports/log-event.ts";

// One SQLite database for all sessions; formerly one JSONL file per session.
// Usage is logged only per session.
export const goose: Importer = {
  name: "Goose",
  serverNames: "logged",
  findFolders: (home) => findDataFolders(home).map((folder) => ({ folder, detectForm })),
  queries: [
    // Selects all columns, because they differ by version and are short.
    { table: "sessions", sql: "SELECT * FROM sessions" },
    {
      table: "messages",
      sql: `SELECT session_id, created_timestamp, CASE WHEN octet_length(content_json) <= ${importLineBytesMax} THEN content_json END AS content_json FROM messages ORDER BY rowid`,
    },
  ],
  unverified: [
    "the logged input of a session is assumed to include cache reads and writes",
    "tools whose names do not begin with an extension are assumed to be built into Goose",
  ],
  open: (path, utils) => new GooseReader(path, utils),
};

function findDataFolders(home: UserHome): readonly string[] {
  const { folder, env, platform } = home;
  const root = readFolderVariable(env, "GOOSE_PATH_ROOT");
  if (root !== undefined) return [`${root}/data/sessions`];
  const macFolders =
    platform === "darwin" ? [`${folder}/Library/Application Support/goose/sessions`] : [];
  return [`${findDataHome(home)}/goose/sessions`, ...macFolders];
}

function detectForm(path: string): LogForm | undefined {
  if (path === "sessions.db") return "database";
  return /^[^/]+\.jsonl$/.test(path) && path !== "history.jsonl" ? "lines" : undefined;
}

class GooseReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #session: string;
  readonly #modelsBySession = new Map<string, string | null>();

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? "";
  }

  take(line: JsonObject): void {
    const table = readString(line, "table");
    const { row } = line;
    if (table === "sessions" && isObject(row)) this.#takeSession(row);
    else if (table === "messages" && isObject(row)) this.#takeMessage(row);
    else if (Array.isArray(line["content"])) {
      this.#takeContent(line["content"], this.#session, parseSecondsOrMs(line["created"]));
    } else if (line["working_dir"] !== undefined) {
      this.#takeSession({ ...line, id: this.#session });
    } else this.#utils.countUnknown();
  }

  #takeSession(row: JsonObject): void {
    const id = readId(this.#utils, row, "id");
    if (id === null) return this.#utils.countBad();
    const { model, events } = parseSession(row, id, this.#utils);
    this.#modelsBySession.set(id, model);
    for (const event of events) this.#utils.emit(event);
  }

  #takeMessage(row: JsonObject): void {
    const content = tryParseJson(readString(row, "content_json"));
    const session = readId(this.#utils, row, "session_id");
    if (!Array.isArray(content) || session === null) return this.#utils.countBad();
    this.#takeContent(content, session, parseSecondsOrMs(row["created_timestamp"]));
  }

  #takeContent(content: readonly unknown[], session: string, at: number | null): void {
    const model = this.#modelsBySession.get(session) ?? null;
    for (const item of content) {
      const event = parseItem(item, { at, conversation: session, model }, this.#utils);
      if (event) this.#utils.emit(event);
    }
  }
}

function parseSession(
  row: JsonObject,
  id: string,
  utils: ReaderUtils,
): { readonly model: string | null; readonly events: readonly LogEvent[] } {
  const parent = readId(utils, row, "parent_session_id");
  const model = readId(utils, tryParseJson(readString(row, "model_config_json")), "model_name");
  const at = parseUtc(row["updated_at"]);
  const conversationEvent: LogEvent = {
    ...makeConversation(id, parseUtc(row["created_at"])),
    role: parent === null ? null : "subagent",
    parent,
    ...makeProjectFields(readString(row, "working_dir"), utils),
  };
  const usage = parseUsage(row);
  if (isEmptyUsage(usage)) return { model, events: [conversationEvent] };
  const models = [{ model: model ?? "unknown", usage }];
  return {
    model,
    events: [conversationEvent, { kind: "session_total", at, conversation: id, models }],
  };
}

function parseUsage(row: JsonObject): LoggedUsage {
  const read = parseTokens(row["accumulated_cache_read_tokens"]);
  const written = parseTokens(row["accumulated_cache_write_tokens"]);
  return {
    ...noUsage,
    ...splitInput(parseTokens(row["accumulated_input_tokens"]), read, written),
    output: parseTokens(row["accumulated_output_tokens"]),
  };
}

// SQLite writes UTC times without a zone.
function parseUtc(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const isWithoutZone = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value);
  return parseTime(isWithoutZone ? `${value.replace(" ", "T")}Z` : value);
}

function parseItem(
  item: unknown,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolUseEvent | ToolResultEvent | undefined {
  const callId = readId(utils, item, "id");
  if (callId === null) return undefined;
  // Some models restart call ids in every session.
  const id = `${facts.conversation}/${callId}`;
  const type = readString(item, "type");
  if (type === "toolRequest") return parseToolUse(id, item, facts, utils);
  return type === "toolResponse" ? parseResult(id, item, facts, utils) : undefined;
}

function parseToolUse(
  id: string,
  item: unknown,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const joined = readId(utils, item, "toolCall", "value", "name");
  const extension = joined?.split("__")[0];
  if (joined?.includes("__") !== true || builtInExtensions.has(extension ?? "")) return undefined;
  const args = readMember(item, "toolCall", "value", "arguments");
  const call = { id, name: { joined, form: "extension__tool" }, args } as const;
  return makeToolUse({ ...facts, message: null }, call, utils);
}

function parseResult(
  id: string,
  item: unknown,
  facts: CallFacts,
  utils: ReaderUtils,
): ToolResultEvent {
  const value = readMember(item, "toolResult", "value");
  const isFailed =
    readString(item, "toolResult", "status") === "error" || readMember(value, "isError") === true;
  const blocks = (Array.isArray(value) ? value : readArray(value, "content")).filter(isForModel);
  const failure = readString(item, "toolResult", "error");
  const blockTexts = blocks.flatMap((block) =>
    typeof block === "string" ? block : (readString(block, "text") ?? []),
  );
  const texts = failure === undefined ? blockTexts : [failure];
  const images = blocks.filter((block) => readString(block, "type") === "image").length;
  const outcome = isFailed ? "tool_error" : "ok";
  return makeToolResult(facts, { id, outcome, texts, images }, utils);
}

// The model never reads blocks addressed to the user alone.
function isForModel(block: unknown): boolean {
  const audience = readMember(block, "annotations", "audience");
  return !Array.isArray(audience) || audience.includes("assistant");
}

const builtInExtensions: ReadonlySet<string> = new Set([
  "analyze",
  "apps",
  "autovisualiser",
  "chatrecall",
  "code_execution",
  "computercontroller",
  "developer",
  "dynamic_task",
  "extensionmanager",
  "memory",
  "platform",
  "skills",
  "subagent",
  "summon",
  "todo",
  "tutorial",
]);
