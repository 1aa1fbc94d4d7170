import { tryParseJson } from "#kit/errors.ts";
import type { Importer, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  makeProjectFields,
  makeToolUse,
  makeServerSettings,
  makeToolResult,
  parseCost,
  parseTime,
  readFolderVariable,
  readId,
  readBlocks,
} from "./log-fields.ts";
import { listExtensionFolders } from "./vs-code.ts";
import { clineTasks, isTask, makeTaskFolder, makeTaskFolders, TaskReader } from "./roo-code.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type RequestEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  isEmptyUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
  splitInput,
  type CallFacts,
} from "../imports/log-event.ts";

const clineExtension = "saoudrizwan.claude-dev";

// The CLI and the extension write a manifest per session. Each session and each sub-agent has a file of messages.
// Before 2026, the extension wrote tasks, as Roo Code does.
export const cline: Importer = {
  name: "Cline",
  serverNames: "logged",
  findFolders: (home) => {
    const data = findDataFolder(home);
    return [
      {
        folder: readFolderVariable(home.env, "CLINE_SESSION_DATA_DIR") ?? `${data}/sessions`,
        detectForm: (path) => (sessionFile.test(path) ? "document" : undefined),
        mayEnter: (path) => !path.includes("/"),
      },
      makeTaskFolder(`${data}/tasks`),
      ...makeTaskFolders(home, clineExtension),
    ];
  },
  findSettings: (home) =>
    [findDataFolder(home), ...listExtensionFolders(home, clineExtension)].map((folder) =>
      makeServerSettings(`${folder}/settings/cline_mcp_settings.json`),
    ),
  unverified: [
    "the format of tasks is taken from Cline's source; no real log of the older extension was available",
    "no real log with sub-agents, compactions or restored checkpoints was available",
  ],
  open: (path, utils) =>
    isTask(path) ? new TaskReader(path, utils, clineTasks) : new SessionReader(path, utils),
};

function findDataFolder({ folder, env }: UserHome): string {
  const home = readFolderVariable(env, "CLINE_DIR") ?? `${folder}/.cline`;
  return readFolderVariable(env, "CLINE_DATA_DIR") ?? `${home}/data`;
}

// A manifest, which is named like its folder, or the messages.
const sessionFile = /^([^/]+)\/(?:\1|[^/]+\.messages)\.json$/;

class SessionReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #mainSession: string;
  readonly #file: string;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    const [mainSession = path, file = path] = path.split("/");
    this.#mainSession = mainSession;
    this.#file = file.replace(/(?:\.messages)?\.json$/, "");
  }

  take(document: JsonObject): void {
    const utils = this.#utils;
    if (Array.isArray(document["messages"])) return this.#takeMessages(document);
    const session = readId(utils, document, "session_id");
    if (session === null) return utils.countUnknown();
    const at = parseTime(document["started_at"]);
    const folder = readString(document, "workspace_root") ?? readString(document, "cwd");
    utils.emit({ ...makeConversation(session, at), ...makeProjectFields(folder, utils) });
  }

  #takeMessages(document: JsonObject): void {
    const utils = this.#utils;
    const messages = readArray(document, "messages");
    const session = readId(utils, document, "sessionId") ?? this.#file;
    const isMain = session === this.#mainSession;
    utils.emit({
      ...makeConversation(session, parseTime(readMember(messages[0], "ts"))),
      session: isMain ? session : this.#mainSession,
      role: isMain ? null : "subagent",
      parent: isMain ? null : this.#mainSession,
      clientVersion: readId(utils, document, "origin", "version"),
    });
    let model: string | null = null;
    for (const message of messages) {
      model = readId(utils, message, "modelInfo", "id") ?? model;
      const at = parseTime(readMember(message, "ts"));
      const facts = { at, conversation: session, model, message: readId(utils, message, "id") };
      for (const event of parseMessage(message, facts, utils)) utils.emit(event);
    }
  }
}

type MessageFacts = CallFacts & { readonly message: string | null };

function parseMessage(
  message: unknown,
  facts: MessageFacts,
  utils: ReaderUtils,
): readonly (RequestEvent | ToolUseEvent | ToolResultEvent)[] {
  return [
    ...parseRequest(message, facts),
    ...readArray(message, "content").flatMap((block) => parseBlock(block, facts, utils) ?? []),
  ];
}

function parseBlock(
  block: unknown,
  facts: MessageFacts,
  utils: ReaderUtils,
): ToolUseEvent | ToolResultEvent | undefined {
  const type = readString(block, "type");
  if (type === "tool_use") return parseToolUse(block, facts, utils);
  return type === "tool_result" ? parseToolResult(block, facts, utils) : undefined;
}

function parseRequest(message: unknown, facts: MessageFacts): readonly RequestEvent[] {
  const metrics = readMember(message, "metrics");
  if (!isObject(metrics) || readString(message, "role") !== "assistant") return [];
  const read = parseTokens(metrics["cacheReadTokens"]);
  const written = parseTokens(metrics["cacheWriteTokens"]);
  const usage = {
    ...noUsage,
    ...splitInput(parseTokens(metrics["inputTokens"]), read, written),
    output: parseTokens(metrics["outputTokens"]),
  };
  if (isEmptyUsage(usage)) return [];
  // Requests are merged by message id: a session that continues from a checkpoint copies messages and their ids.
  const request = makeRequestEvent(facts, facts.message, usage, "largest");
  return [{ ...request, nativeCost: parseCost(metrics["cost"]) }];
}

function parseToolUse(
  block: unknown,
  facts: MessageFacts,
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const callId = readId(utils, block, "id");
  const joined = readId(utils, block, "name");
  // Names of built-in tools have no double underscore.
  if (callId === null || joined?.includes("__") !== true) return undefined;
  const id = `${facts.conversation}/${callId}`;
  const args = readMember(block, "input");
  return makeToolUse(facts, { id, name: { joined, form: "extension__tool" }, args }, utils);
}

function parseToolResult(
  block: unknown,
  facts: MessageFacts,
  utils: ReaderUtils,
): ToolResultEvent | undefined {
  const callId = readId(utils, block, "tool_use_id");
  if (callId === null) return undefined;
  const { texts, images } = readBlocks(readMember(block, "content"), "image");
  const isFailed = readMember(block, "is_error") === true || texts.some(isErrorResult);
  const id = `${facts.conversation}/${callId}`;
  const outcome = isFailed ? "tool_error" : "ok";
  return makeToolResult(facts, { id, outcome, texts, images }, utils);
}

// Cline gives its model the whole result of a call as JSON.
function isErrorResult(text: string): boolean {
  return text.includes('"isError":true') && readMember(tryParseJson(text), "isError") === true;
}
