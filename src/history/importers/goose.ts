import type {
  Importer,
  LogForm,
  LogHome,
  LogPlace,
  LogFacts,
  LogReader,
  ReaderTools,
} from "../imports/importer.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, parsedText, textFacts, timeFrom } from "./log-fields.ts";
import {
  type LogEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  isNoUsage,
  type LoggedUsage,
  tokensFrom,
} from "../imports/log-event.ts";

/** An SQLite database of all sessions, before that one JSONL file per session. It bills by session only. */
export const goose: Importer = {
  id: "goose",
  name: "Goose",
  places: (home) => foldersOf(home).map(placeOf),
  queries: [
    // Versions differ in their columns, all of which are short.
    { table: "sessions", sql: "SELECT * FROM sessions" },
    {
      table: "messages",
      sql: `SELECT session_id, created_timestamp, CASE WHEN octet_length(content_json) <= ${importLineBytesMax} THEN content_json END AS content_json FROM messages ORDER BY rowid`,
    },
  ],
  unverified: [
    "the input of a session is taken to hold the part that was read from a cache or written to it",
    "names of tools without an extension are taken for tools of Goose itself",
  ],
  open: (file, tools) => new GooseReader(file, tools),
};

function foldersOf({ folder, env, platform }: LogHome): readonly string[] {
  const root = env["GOOSE_PATH_ROOT"];
  if (root?.startsWith("/") === true) return [`${root.replace(/\/+$/, "")}/data/sessions`];
  const xdg = env["XDG_DATA_HOME"];
  const data = xdg?.startsWith("/") === true ? xdg : `${folder}/.local/share`;
  const own = platform === "darwin" ? [`${folder}/Library/Application Support/goose/sessions`] : [];
  return [`${data}/goose/sessions`, ...own];
}

function placeOf(folder: string): LogPlace {
  return { folder, form: formOf };
}

function formOf(path: string): LogForm | undefined {
  if (path === "sessions.db") return "database";
  return /^[^/]+\.jsonl$/.test(path) && path !== "history.jsonl" ? "lines" : undefined;
}

class GooseReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #session: string;
  readonly #models = new Map<string, string | null>();

  constructor({ path }: LogFacts, tools: ReaderTools) {
    this.#tools = tools;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? "";
  }

  take(line: JsonObject): void {
    const table = textAt(line, "table");
    const { row } = line;
    if (table === "sessions" && isObject(row)) this.#takeSession(row);
    else if (table === "messages" && isObject(row)) this.#takeRow(row);
    else if (Array.isArray(line["content"])) {
      this.#takeContent(line["content"], this.#session, secondsFrom(line["created"]));
    } else if (line["working_dir"] !== undefined) {
      this.#takeSession({ ...line, id: this.#session });
    } else this.#tools.countUnknown();
  }

  /** Lines need nothing of those before them, and a database is read as a whole. */
  state(): unknown {
    return null;
  }

  #takeSession(row: JsonObject): void {
    const id = idAt(this.#tools, row, "id");
    if (id === null) return this.#tools.countBad();
    const { model, events } = sessionEvents(row, id, this.#tools);
    this.#models.set(id, model);
    for (const event of events) this.#tools.emit(event);
  }

  #takeRow(row: JsonObject): void {
    const content = parsedText(textAt(row, "content_json"));
    const session = idAt(this.#tools, row, "session_id");
    if (!Array.isArray(content) || session === null) return this.#tools.countBad();
    this.#takeContent(content, session, secondsFrom(row["created_timestamp"]));
  }

  #takeContent(content: readonly unknown[], session: string, at: number | null): void {
    const model = this.#models.get(session) ?? null;
    for (const part of content) {
      const event = contentEvents(part, { at, conversation: session, model }, this.#tools);
      if (event) this.#tools.emit(event);
    }
  }
}

function secondsFrom(value: unknown): number | null {
  if (typeof value !== "number") return null;
  return timeFrom(Math.abs(value) < 1e11 ? value * 1000 : value);
}

/** All that Goose keeps of a session's bill. */
function sessionEvents(
  row: JsonObject,
  id: string,
  tools: ReaderTools,
): { readonly model: string | null; readonly events: readonly LogEvent[] } {
  const parent = idAt(tools, row, "parent_session_id");
  const folder = textAt(row, "working_dir");
  const model = idAt(tools, parsedText(textAt(row, "model_config_json")), "model_name");
  const at = utcFrom(row["updated_at"]);
  const described: LogEvent = {
    kind: "conversation",
    at: utcFrom(row["created_at"]),
    conversation: id,
    session: id,
    role: parent === null ? null : "subagent",
    parent,
    clientVersion: null,
    project: folder === undefined ? null : tools.projectHash(folder),
  };
  const usage = usageOf(row);
  if (isNoUsage(usage)) return { model, events: [described] };
  const models = [{ model: model ?? "unknown", usage }];
  return { model, events: [described, { kind: "session_total", at, conversation: id, models }] };
}

function usageOf(row: JsonObject): LoggedUsage {
  const cacheRead = tokensFrom(row["accumulated_cache_read_tokens"]);
  const cacheWrite5m = tokensFrom(row["accumulated_cache_write_tokens"]);
  const input = tokensFrom(row["accumulated_input_tokens"]);
  return {
    uncached: Math.max(0, input - cacheRead - cacheWrite5m),
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: tokensFrom(row["accumulated_output_tokens"]),
    reasoning: 0,
  };
}

/** SQLite writes times in UTC without saying so. */
function utcFrom(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const isPlain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value);
  return timeFrom(isPlain ? `${value.replace(" ", "T")}Z` : value);
}

type PartFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
};

function contentEvents(
  part: unknown,
  facts: PartFacts,
  tools: ReaderTools,
): ToolUseEvent | ToolResultEvent | undefined {
  const own = idAt(tools, part, "id");
  if (own === null) return undefined;
  // Some models number the calls of each session.
  const id = `${facts.conversation}/${own}`;
  const type = textAt(part, "type");
  if (type === "toolRequest") return useOf(id, part, facts, tools);
  return type === "toolResponse" ? resultOf(id, part, facts, tools) : undefined;
}

function useOf(
  id: string,
  part: unknown,
  { at, conversation, model }: PartFacts,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const joined = idAt(tools, part, "toolCall", "value", "name");
  const extension = joined?.split("__")[0];
  if (joined?.includes("__") !== true || ownExtensions.has(extension ?? "")) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { joined, form: "extension" },
    method: "tools/call",
    ...argumentFacts(memberAt(part, "toolCall", "value", "arguments"), tools, model),
    model,
    isSideChain: false,
    message: null,
  };
}

function resultOf(
  id: string,
  part: unknown,
  { at, conversation, model }: PartFacts,
  tools: ReaderTools,
): ToolResultEvent {
  const value = memberAt(part, "toolResult", "value");
  const isFailed =
    textAt(part, "toolResult", "status") === "error" || memberAt(value, "isError") === true;
  const blocks = (Array.isArray(value) ? value : arrayAt(value, "content")).filter(isForModel);
  const failure = textAt(part, "toolResult", "error");
  const texts = blocks.flatMap((block) =>
    typeof block === "string" ? block : (textAt(block, "text") ?? []),
  );
  return {
    kind: "tool_result",
    at,
    conversation,
    id,
    outcome: isFailed ? "tool_error" : "ok",
    visible: "as_logged",
    ...textFacts(failure === undefined ? texts : [failure], model, tools),
    images: blocks.filter((block) => textAt(block, "type") === "image").length,
    durationMs: null,
  };
}

/** Blocks for the user alone are not shown to the model. */
function isForModel(block: unknown): boolean {
  const audience = memberAt(block, "annotations", "audience");
  return !Array.isArray(audience) || audience.includes("assistant");
}

/** Part of Goose: not servers of the user. */
const ownExtensions: ReadonlySet<string> = new Set([
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
