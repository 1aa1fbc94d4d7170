import type {
  Importer,
  LogForm,
  LogHome,
  LogFacts,
  LogReader,
  ReaderTools,
} from "../imports/importer.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { isObject, type JsonObject, memberAt, textAt, arrayAt } from "#wire/json.ts";
import { costFrom, idAt, parsedText, timeFrom, argumentFacts, textFacts } from "./log-fields.ts";
import {
  type ConversationEvent,
  type RequestEvent,
  type LogEvent,
  type LoggedOutcome,
  type ToolResultEvent,
  isNoUsage,
  type LoggedUsage,
  tokensFrom,
} from "../imports/log-event.ts";

const data = `CASE WHEN octet_length(data) <= ${importLineBytesMax} THEN data END AS data`;

/** An SQLite database per release channel; before 2026 one JSON file per message and part. */
export const openCode: Importer = {
  id: "opencode",
  name: "OpenCode",
  places: (home) => [{ folder: dataFolder(home), form: formOf }],
  settings: (home) =>
    ["opencode.json", "opencode.jsonc"].map((name) => ({
      file: `${configFolder(home)}/${name}`,
      form: "json",
      paths: [["mcp"]],
    })),
  // Messages before parts: a part is counted for the model of its message.
  queries: [
    { table: "session", sql: "SELECT id, parent_id, version, directory FROM session" },
    { table: "message", sql: `SELECT id, session_id, ${data} FROM message ORDER BY rowid` },
    { table: "part", sql: `SELECT id, message_id, session_id, ${data} FROM part ORDER BY rowid` },
  ],
  unverified: [
    "where a message has no total, its reasoning is taken to be next to its output, and the session is marked as approximate",
  ],
  open: (file, tools) => new OpenCodeReader(file, tools),
};

function dataFolder({ folder, env }: LogHome): string {
  const named = env["OPENCODE_DATA_DIR"];
  if (named?.startsWith("/") === true) return named.replace(/\/+$/, "");
  const xdg = env["XDG_DATA_HOME"];
  return `${xdg?.startsWith("/") === true ? xdg : `${folder}/.local/share`}/opencode`;
}

function configFolder({ folder, env }: LogHome): string {
  const xdg = env["XDG_CONFIG_HOME"];
  return `${xdg?.startsWith("/") === true ? xdg : `${folder}/.config`}/opencode`;
}

function formOf(path: string): LogForm | undefined {
  if (/^opencode(?:-[^/]+)?\.db$/.test(path)) return "database";
  return /^storage\/(?:session|message|part)\/[^/]+\/[^/]+\.json$/.test(path)
    ? "document"
    : undefined;
}

export class OpenCodeReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #document:
    { readonly table: string; readonly owner: string; readonly id: string } | undefined;
  readonly #models = new Map<string, string | null>();
  readonly #calls: CallIds = callIds();

  constructor({ path }: LogFacts, tools: ReaderTools) {
    this.#tools = tools;
    const found = /(?:^|\/)(session|message|part)\/([^/]+)\/([^/]+)\.json$/.exec(path);
    const [, table, owner, id] = found ?? [];
    if (table !== undefined && owner !== undefined && id !== undefined) {
      this.#document = { table, owner, id };
    }
  }

  take(line: JsonObject): void {
    if (this.#document) return this.#takeDocument(line, this.#document);
    const row = isObject(line["row"]) ? line["row"] : {};
    const table = textAt(line, "table");
    if (table === "session") return this.#tools.emit(sessionEvent(row, this.#tools));
    const partData = parsedText(textAt(row, "data"));
    if (!isObject(partData)) return this.#tools.countBad();
    const session = idAt(this.#tools, row, "session_id") ?? "";
    const id = idAt(this.#tools, row, "id") ?? "";
    if (table === "message") this.#takeMessage(partData, { id, session });
    else if (table === "part") {
      this.#takePart(partData, {
        id,
        session,
        message: idAt(this.#tools, row, "message_id") ?? "",
      });
    }
  }

  /** A database is read as a whole. */
  state(): unknown {
    return null;
  }

  /** A file has the columns as members, and its message or session in the name of its folder. */
  #takeDocument(
    line: JsonObject,
    { table, owner, id }: { readonly table: string; readonly owner: string; readonly id: string },
  ): void {
    const own = idAt(this.#tools, line, "id") ?? id;
    const session = idAt(this.#tools, line, "sessionID");
    if (table === "session") {
      const columns = {
        id: own,
        parent_id: line["parentID"],
        version: line["version"],
        directory: line["directory"],
      };
      this.#tools.emit(sessionEvent(columns, this.#tools));
    } else if (table === "message") this.#takeMessage(line, { id: own, session: session ?? owner });
    else {
      const message = idAt(this.#tools, line, "messageID") ?? owner;
      this.#takePart(line, { id: own, session: session ?? "", message });
    }
  }

  #takeMessage(partData: JsonObject, ids: { readonly id: string; readonly session: string }): void {
    if (textAt(partData, "role") !== "assistant") return;
    const event = messageEvent(partData, ids, this.#tools);
    this.#models.set(ids.id, idAt(this.#tools, partData, "modelID"));
    if (event) this.#tools.emit(event);
  }

  #takePart(
    partData: JsonObject,
    ids: { readonly id: string; readonly session: string; readonly message: string },
  ): void {
    const model = this.#models.get(ids.message) ?? null;
    for (const event of partEvents(partData, { ...ids, model, callId: this.#calls }, this.#tools)) {
      this.#tools.emit(event);
    }
  }
}

/** A session with a parent is a sub-agent's; a fork has none. */
function sessionEvent(row: JsonObject, tools: ReaderTools): ConversationEvent {
  const id = idAt(tools, row, "id") ?? "";
  const parent = idAt(tools, row, "parent_id");
  const folder = textAt(row, "directory");
  return {
    kind: "conversation",
    at: null,
    conversation: id,
    session: id,
    role: parent === null ? null : "subagent",
    parent,
    clientVersion: idAt(tools, row, "version"),
    project: folder === undefined ? null : tools.projectHash(folder),
  };
}

/** Its tokens are those of its last step: they count only if no step was logged. A fork copies a message under another id, with the same times and tokens. */
function messageEvent(
  partData: JsonObject,
  { id, session }: { readonly id: string; readonly session: string },
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = loggedTokens(partData["tokens"]);
  if (!logged) return undefined;
  const created = timeFrom(memberAt(partData, "time", "created"));
  const completed = timeFrom(memberAt(partData, "time", "completed"));
  const isCopyable = created !== null && completed !== null;
  const nativeCost = costFrom(partData["cost"]);
  return {
    kind: "request",
    at: created,
    conversation: session,
    keys: {
      message: id,
      request: null,
      line: null,
      ...(isCopyable && {
        copy: [created, completed, ...Object.values(logged.usage)].join(" "),
      }),
    },
    isSideChain: false,
    model: idAt(tools, partData, "modelID"),
    usage: logged.usage,
    merge: "fallback",
    ...(nativeCost === undefined ? {} : { nativeCost }),
  };
}

type PartFacts = {
  readonly id: string;
  readonly session: string;
  readonly message: string;
  readonly model: string | null;
  readonly callId: CallIds;
};

const otherParts = new Set([
  "text",
  "reasoning",
  "file",
  "step-start",
  "snapshot",
  "patch",
  "agent",
  "retry",
  "subtask",
]);

export function partEvents(
  partData: JsonObject,
  facts: PartFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const type = textAt(partData, "type") ?? "";
  if (type === "tool") return toolEvents(partData, facts, tools);
  if (type === "step-finish") return stepEvents(partData, facts);
  if (type === "compaction") {
    const { id: line, session: conversation } = facts;
    return [{ kind: "boundary", at: null, conversation, why: "compaction", line }];
  }
  if (!otherParts.has(type)) tools.countUnknown();
  return [];
}

/** Time and model come from the message. */
function stepEvents(partData: JsonObject, facts: PartFacts): readonly LogEvent[] {
  const logged = loggedTokens(partData["tokens"]);
  if (!logged) return [];
  const nativeCost = costFrom(partData["cost"]);
  const request: RequestEvent = {
    kind: "request",
    at: null,
    conversation: facts.session,
    keys: { message: facts.message, request: facts.id, line: null },
    isSideChain: false,
    model: facts.model,
    usage: logged.usage,
    merge: "first",
    ...(nativeCost === undefined ? {} : { nativeCost }),
  };
  return logged.isApproximate ? [request, approximate(facts.session)] : [request];
}

function approximate(conversation: string): LogEvent {
  return {
    kind: "conversation",
    at: null,
    conversation,
    session: conversation,
    role: null,
    parent: null,
    clientVersion: null,
    project: null,
    isApproximate: true,
  };
}

function toolEvents(
  partData: JsonObject,
  { session: conversation, message, model, callId }: PartFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const own = idAt(tools, partData, "callID");
  const joined = idAt(tools, partData, "tool");
  const { state } = partData;
  if (own === null || joined === null || !isObject(state)) return [];
  const at = timeFrom(memberAt(state, "time", "start"));
  const id = callId(own, at);
  const use: LogEvent = {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { joined, form: "bare" },
    method: "tools/call",
    ...argumentFacts(state["input"], tools, model),
    model,
    isSideChain: false,
    message,
  };
  const result = resultOf(state, { at, conversation, id, model }, tools);
  return result ? [use, result] : [use];
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["completed", "ok"],
  ["error", "tool_error"],
]);

/** The time between start and end includes the user's permission. */
function resultOf(
  state: JsonObject,
  {
    model,
    ...facts
  }: Pick<ToolResultEvent, "at" | "conversation" | "id"> & { readonly model: string | null },
  tools: ReaderTools,
): ToolResultEvent | undefined {
  const outcome = outcomes.get(textAt(state, "status") ?? "");
  if (outcome === undefined) return undefined;
  const text = textAt(state, outcome === "ok" ? "output" : "error") ?? "";
  const attachments = arrayAt(state, "attachments");
  return {
    kind: "tool_result",
    ...facts,
    at: timeFrom(memberAt(state, "time", "end")) ?? facts.at,
    outcome,
    visible: "as_logged",
    ...textFacts([text], model, tools),
    images: attachments.filter((one) => textAt(one, "mime")?.startsWith("image/") === true).length,
    durationMs: null,
  };
}

type CallIds = (own: string, startedAt: number | null) => string;

/** A fork keeps the ids of calls, so equal ids are one call; some models number the calls of each session, so one that began at another time is another. */
export function callIds(): CallIds {
  const starts = new Map<string, number | null>();
  return (own, startedAt) => {
    const first = starts.get(own);
    if (first === undefined) starts.set(own, startedAt);
    return first === undefined || first === startedAt ? own : `${own}@${startedAt ?? ""}`;
  };
}

type LoggedTokens = {
  readonly usage: LoggedUsage;
  readonly isApproximate: boolean;
};

/** Undefined without tokens, as after an abort. Older versions count reasoning in `output`, newer ones next to it: `total` shows which. */
function loggedTokens(tokens: unknown): LoggedTokens | undefined {
  if (!isObject(tokens)) return undefined;
  const input = tokensFrom(tokens["input"]);
  const output = tokensFrom(tokens["output"]);
  const reasoning = tokensFrom(tokens["reasoning"]);
  const cacheRead = tokensFrom(memberAt(tokens, "cache", "read"));
  const cacheWrite5m = tokensFrom(memberAt(tokens, "cache", "write"));
  const { total } = tokens;
  const isIncluded = total === input + output + cacheRead + cacheWrite5m;
  const usage: LoggedUsage = {
    uncached: input,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: isIncluded ? output : output + reasoning,
    reasoning,
  };
  if (isNoUsage(usage)) return undefined;
  return { usage, isApproximate: reasoning > 0 && typeof total !== "number" };
}
