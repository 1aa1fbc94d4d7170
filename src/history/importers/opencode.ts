import type {
  Importer,
  LogFolder,
  LogReader,
  ReaderUtils,
  ServerSettings,
} from "../imports/importer.ts";
import { isTask, makeTaskFolders, rooTasks, TaskReader } from "./roo-code.ts";
import {
  findConfigHome,
  findDataHome,
  readFolderVariable,
  parseCost,
  readId,
  parseTime,
  makeProjectFields,
  makeToolUse,
  isImageType,
  makeServerSettings,
  makeToolResult,
} from "./log-fields.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { isObject, type JsonObject, readMember, readString, readArray } from "#wire/json.ts";
import { tryParseJson } from "#kit/errors.ts";
import {
  type ConversationEvent,
  type RequestEvent,
  type LogEvent,
  type LoggedOutcome,
  type ToolResultEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
  type CallFacts,
} from "../imports/log-event.ts";

const dataColumn = `CASE WHEN octet_length(data) <= ${importLineBytesMax} THEN data END AS data`;

// Each release channel logs to one SQLite database. Before 2026, each session, message and part had a JSON file.
const sharedMembers: Pick<Importer, "queries" | "open"> = {
  // Messages are read before parts, because a part does not name its model, but its message does.
  queries: [
    { table: "session", sql: "SELECT id, parent_id, version, directory FROM session" },
    { table: "message", sql: `SELECT id, session_id, ${dataColumn} FROM message ORDER BY rowid` },
    {
      table: "part",
      sql: `SELECT id, message_id, session_id, ${dataColumn} FROM part ORDER BY rowid`,
    },
  ],
  open: (path, utils) => new OpenCodeReader(path, utils),
};

export const openCode: Importer = {
  ...sharedMembers,
  name: "OpenCode",
  serverNames: "given",
  findFolders: (home) => [
    makeLogFolder(
      readFolderVariable(home.env, "OPENCODE_DATA_DIR") ?? `${findDataHome(home)}/opencode`,
      /^opencode(?:-[^/]+)?\.db$/,
    ),
  ],
  findSettings: (home) => listSettings(`${findConfigHome(home)}/opencode/opencode`),
  unverified: [
    "in a step without a total, the logged output is assumed to exclude reasoning, and the session is marked as approximate",
  ],
};

const kiloExtension = "kilocode.kilo-code";

// Kilo Code is a fork of OpenCode. Until 2026, its extension was a fork of Roo Code.
export const kiloCode: Importer = {
  ...sharedMembers,
  name: "Kilo Code",
  serverNames: "given",
  findFolders: (home) => [
    makeLogFolder(`${findDataHome(home)}/kilo`, /^kilo(?:-[^/]+)?\.db$/),
    ...makeTaskFolders(home, kiloExtension),
  ],
  findSettings: (home) => listSettings(`${findConfigHome(home)}/kilo/kilo`),
  unverified: [
    "tasks of the older extension are read like those of Roo Code",
    "no real log with forks, sub-agents or compactions was available",
  ],
  open: (path, utils) =>
    isTask(path) ? new TaskReader(path, utils, rooTasks) : new OpenCodeReader(path, utils),
};

function makeLogFolder(folder: string, databasePattern: RegExp): LogFolder {
  const documentPattern = /^storage\/(?:session|message|part)\/[^/]+\/[^/]+\.json$/;
  return {
    folder,
    // All files form one group, because a message and its parts are in different files.
    makeGroupKey: () => "",
    detectForm: (path) => {
      if (databasePattern.test(path)) return "database";
      return documentPattern.test(path) ? "document" : undefined;
    },
  };
}

function listSettings(path: string): readonly ServerSettings[] {
  return ["json", "jsonc"].map((ending) => makeServerSettings(`${path}.${ending}`, "mcp"));
}

type DocumentName = { readonly table: string; readonly owner: string; readonly id: string };

type MessageIds = { readonly id: string; readonly session: string };

type PartIds = MessageIds & { readonly message: string };

export class OpenCodeReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #document: DocumentName | undefined;
  readonly #modelsByMessage = new Map<string, string | null>();

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    const match = /(?:^|\/)(session|message|part)\/([^/]+)\/([^/]+)\.json$/.exec(path);
    const [, table, owner, id] = match ?? [];
    if (table !== undefined && owner !== undefined && id !== undefined) {
      this.#document = { table, owner, id };
    }
  }

  take(line: JsonObject): void {
    if (this.#document) return this.#takeDocument(line, this.#document);
    const row = isObject(line["row"]) ? line["row"] : {};
    const table = readString(line, "table");
    if (table === "session") return this.#utils.emit(makeSessionEvent(row, this.#utils));
    const data = tryParseJson(readString(row, "data"));
    if (!isObject(data)) return this.#utils.countBad();
    const session = readId(this.#utils, row, "session_id") ?? "";
    const id = readId(this.#utils, row, "id") ?? "";
    if (table === "message") this.#takeMessage(data, { id, session });
    else if (table === "part") {
      const message = readId(this.#utils, row, "message_id") ?? "";
      this.#takePart(data, { id, session, message });
    }
  }

  // A message's folder is named after its session, and a part's folder after its message.
  #takeDocument(line: JsonObject, { table, owner, id }: DocumentName): void {
    const rowId = readId(this.#utils, line, "id") ?? id;
    const session = readId(this.#utils, line, "sessionID");
    if (table === "session") {
      const columns = {
        id: rowId,
        parent_id: line["parentID"],
        version: line["version"],
        directory: line["directory"],
      };
      this.#utils.emit(makeSessionEvent(columns, this.#utils));
    } else if (table === "message")
      this.#takeMessage(line, { id: rowId, session: session ?? owner });
    else {
      const message = readId(this.#utils, line, "messageID") ?? owner;
      this.#takePart(line, { id: rowId, session: session ?? "", message });
    }
  }

  #takeMessage(data: JsonObject, ids: MessageIds): void {
    if (readString(data, "role") !== "assistant") return;
    const event = parseMessage(data, ids, this.#utils);
    this.#modelsByMessage.set(ids.id, readId(this.#utils, data, "modelID"));
    if (event) this.#utils.emit(event);
  }

  #takePart(data: JsonObject, ids: PartIds): void {
    const model = this.#modelsByMessage.get(ids.message) ?? null;
    for (const event of parsePart(data, { ...ids, model }, this.#utils)) this.#utils.emit(event);
  }
}

// Only sub-agent sessions have a parent; forks have none.
function makeSessionEvent(row: JsonObject, utils: ReaderUtils): ConversationEvent {
  const id = readId(utils, row, "id") ?? "";
  const parent = readId(utils, row, "parent_id");
  return {
    ...makeConversation(id, null),
    role: parent === null ? null : "subagent",
    parent,
    clientVersion: readId(utils, row, "version"),
    ...makeProjectFields(readString(row, "directory"), utils),
  };
}

// A message repeats the tokens of its last step. So if a step is logged, the message does not count. A fork gives a
// copied message a new id, but keeps the message's times and tokens.
function parseMessage(
  data: JsonObject,
  { id, session }: MessageIds,
  utils: ReaderUtils,
): RequestEvent | undefined {
  const logged = parseUsage(data["tokens"]);
  if (!logged) return undefined;
  const created = parseTime(readMember(data, "time", "created"));
  const completed = parseTime(readMember(data, "time", "completed"));
  const hasTimes = created !== null && completed !== null;
  const copy = [created, completed, ...Object.values(logged.usage)].join(" ");
  const facts = { at: created, conversation: session, model: readId(utils, data, "modelID") };
  const request = makeRequestEvent(facts, id, logged.usage, "fallback");
  const keys = hasTimes ? { ...request.keys, copy } : request.keys;
  return { ...request, keys, nativeCost: parseCost(data["cost"]) };
}

type PartFacts = PartIds & { readonly model: string | null };

const ignoredParts = new Set([
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

function parsePart(data: JsonObject, facts: PartFacts, utils: ReaderUtils): readonly LogEvent[] {
  const type = readString(data, "type") ?? "";
  if (type === "tool") return parseToolPart(data, facts, utils);
  if (type === "step-finish") return parseStep(data, facts);
  if (type === "compaction") {
    const { id: line, session: conversation } = facts;
    return [{ kind: "boundary", at: null, conversation, reason: "compaction", line }];
  }
  if (!ignoredParts.has(type)) utils.countUnknown();
  return [];
}

// A step logs neither model nor time: its message has the model, and `mergeRequests` adds the time of the message.
function parseStep(data: JsonObject, facts: PartFacts): readonly LogEvent[] {
  const logged = parseUsage(data["tokens"]);
  if (!logged) return [];
  const request: RequestEvent = {
    kind: "request",
    at: null,
    conversation: facts.session,
    keys: { message: facts.message, request: facts.id, line: null },
    model: facts.model,
    usage: logged.usage,
    merge: "first",
    nativeCost: parseCost(data["cost"]),
  };
  if (!logged.isApproximate) return [request];
  return [request, { ...makeConversation(facts.session, null), isApproximate: true }];
}

function parseToolPart(
  data: JsonObject,
  { session: conversation, message, model }: PartFacts,
  utils: ReaderUtils,
): readonly LogEvent[] {
  const loggedId = readId(utils, data, "callID");
  const joined = readId(utils, data, "tool");
  const { state } = data;
  if (loggedId === null || joined === null || !isObject(state)) return [];
  const at = parseTime(readMember(state, "time", "start"));
  const id = makeCallId(loggedId, at);
  const call = { id, name: { joined, form: "server_tool" }, args: state["input"] } as const;
  const use = makeToolUse({ at, conversation, model, message }, call, utils);
  const result = parseResult(state, { at, conversation, id, model }, utils);
  return result ? [use, result] : [use];
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["completed", "ok"],
  ["error", "tool_error"],
]);

// Omits the logged duration, which includes the wait for the user's permission.
function parseResult(
  state: JsonObject,
  { id, ...facts }: CallFacts & Pick<ToolResultEvent, "id">,
  utils: ReaderUtils,
): ToolResultEvent | undefined {
  const outcome = outcomes.get(readString(state, "status") ?? "");
  if (outcome === undefined) return undefined;
  const text = readString(state, outcome === "ok" ? "output" : "error") ?? "";
  const attachments = readArray(state, "attachments");
  const images = attachments.filter((item) => isImageType(readString(item, "mime"))).length;
  const at = parseTime(readMember(state, "time", "end")) ?? facts.at;
  return makeToolResult({ ...facts, at }, { id, outcome, texts: [text], images }, utils);
}

// Some models use ids that number the calls of each session, such as `functions.docs_read:0`.
const countedId = /(?:^|[^a-z\d])\d{1,4}$/i;

// A fork keeps the ids of the calls that it copies. But two calls whose ids are equal and match `countedId` are copies
// only if both start at the same time.
function makeCallId(loggedId: string, startedAt: number | null): string {
  return countedId.test(loggedId) && startedAt !== null ? `${loggedId}@${startedAt}` : loggedId;
}

type LoggedTokens = {
  readonly usage: LoggedUsage;
  readonly isApproximate: boolean;
};

// Only older versions include reasoning in `output`. Their `total` is the sum of all counts except `reasoning`.
// If there is reasoning but no `total`, the reasoning is added to `output`, and the usage is approximate.
function parseUsage(tokens: unknown): LoggedTokens | undefined {
  if (!isObject(tokens)) return undefined;
  const input = parseTokens(tokens["input"]);
  const output = parseTokens(tokens["output"]);
  const reasoning = parseTokens(tokens["reasoning"]);
  const cacheRead = parseTokens(readMember(tokens, "cache", "read"));
  const cacheWrite5m = parseTokens(readMember(tokens, "cache", "write"));
  const { total } = tokens;
  const isReasoningIncluded = total === input + output + cacheRead + cacheWrite5m;
  const usage: LoggedUsage = {
    ...noUsage,
    uncached: input,
    cacheRead,
    cacheWrite5m,
    output: isReasoningIncluded ? output : output + reasoning,
    reasoning,
  };
  if (isEmptyUsage(usage)) return undefined;
  return { usage, isApproximate: reasoning > 0 && typeof total !== "number" };
}
