import type { Importer, LogForm, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  makeProjectFields,
  makeToolUse,
  makeToolResult,
  parseTime,
  readFolderVariable,
  readId,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type LoggedOutcome,
  type ToolName,
  type ToolResultEvent,
  type ToolUseEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
} from "../imports/log-event.ts";
import { unknownServer } from "../imports/split-tool-names.ts";

// One JSON document per session, and a list of the sessions. Only the list has their times.
export const continueDev: Importer = {
  name: "Continue",
  serverNames: "logged",
  findFolders: ({ folder, env }) => [
    {
      folder: `${readFolderVariable(env, "CONTINUE_GLOBAL_DIR") ?? `${folder}/.continue`}/sessions`,
      detectForm,
      mayEnter: () => false,
      makeGroupKey: () => "",
    },
  ],
  unverified: [
    "the logs have no times of requests and calls, so each gets the time at which its session began",
    "the CLI does not log server names, so every tool that is not built in is assumed to be a server's",
    "the field names of token counts in the editor extension's logs are assumed",
    "the CLI is assumed to log servers' errors as answers",
  ],
  open: (path, utils) => new ContinueReader(path, utils),
};

function detectForm(path: string): LogForm | undefined {
  return /^(?:sessions|[\da-f]{8}-[\da-f-]{27})\.json$/i.test(path) ? "document" : undefined;
}

class ContinueReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #file: string;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#file = path.replace(/\.json$/, "");
  }

  // Takes a session, or an item of the list of sessions.
  take(document: JsonObject): void {
    const utils = this.#utils;
    const { history } = document;
    const session = readId(utils, document, "sessionId");
    const conversation = session ?? this.#file;
    if (session === null && !Array.isArray(history)) return utils.countUnknown();
    const created = Number(readString(document, "dateCreated") ?? document["dateCreated"]);
    utils.emit({
      ...makeConversation(conversation, parseTime(created)),
      ...makeProjectFields(readString(document, "workspaceDirectory"), utils),
    });
    for (const [index, item] of readArray(document, "history").entries()) {
      this.#takeItem(item, { conversation, message: `${conversation}/${index}` });
    }
  }

  #takeItem(item: unknown, { conversation, message }: Omit<ItemFacts, "model">): void {
    const logged = readMember(item, "message", "usage");
    const model = readId(this.#utils, logged, "model");
    const usage = parseUsage(logged);
    if (!isEmptyUsage(usage)) {
      const facts = { at: null, conversation, model };
      this.#utils.emit(makeRequestEvent(facts, message, usage, "largest"));
    }
    if (typeof readMember(item, "conversationSummary") === "string") {
      const line = message;
      this.#utils.emit({ kind: "boundary", at: null, conversation, reason: "compaction", line });
    }
    for (const state of readArray(item, "toolCallStates")) {
      const facts = { conversation, message, model };
      for (const event of parseCall(state, facts, this.#utils)) this.#utils.emit(event);
    }
  }
}

type ItemFacts = {
  readonly conversation: string;
  readonly message: string;
  readonly model: string | null;
};

// Usage with cache writes is from Anthropic: only there does the input exclude cached tokens.
function parseUsage(logged: unknown): LoggedUsage {
  const details =
    readMember(logged, "prompt_tokens_details") ?? readMember(logged, "promptTokensDetails");
  const readCount = (...names: readonly string[]): number =>
    Math.max(0, ...names.map((name) => parseTokens(readMember(details, name))));
  const cacheRead = readCount("cache_read_tokens", "cached_tokens", "cachedTokens");
  const writes =
    readMember(details, "cache_write_tokens") ?? readMember(details, "cacheWriteTokens");
  const input = readTokens(logged, "prompt_tokens", "promptTokens");
  return {
    ...noUsage,
    uncached: writes === undefined ? Math.max(0, input - cacheRead) : input,
    cacheRead,
    cacheWrite5m: parseTokens(writes),
    output: readTokens(logged, "completion_tokens", "completionTokens"),
  };
}

function readTokens(logged: unknown, cliName: string, editorName: string): number {
  return parseTokens(readMember(logged, cliName)) || parseTokens(readMember(logged, editorName));
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["done", "ok"],
  ["errored", "tool_error"],
  ["canceled", "cancelled"],
]);

function parseCall(
  state: unknown,
  { message, ...shared }: ItemFacts,
  utils: ReaderUtils,
): readonly (ToolUseEvent | ToolResultEvent)[] {
  const callId = readId(utils, state, "toolCallId");
  const name = parseName(state, utils);
  if (callId === null || name === undefined) return [];
  const facts = { at: null, ...shared };
  const id = `${facts.conversation}/${callId}`;
  const args = readMember(state, "toolCall", "function", "arguments");
  const use = makeToolUse({ ...facts, message }, { id, name, args }, utils);
  const outcome = outcomes.get(readString(state, "status") ?? "");
  if (outcome === undefined) return [use];
  const items = readArray(state, "output");
  const texts = items.flatMap((item) => readString(item, "content") ?? []);
  return [use, makeToolResult(facts, { id, outcome, texts, images: 0 }, utils)];
}

function parseName(state: unknown, utils: ReaderUtils): ToolName | undefined {
  const loggedName = readId(utils, state, "toolCall", "function", "name");
  const definition = readMember(state, "tool");
  if (loggedName === null) return undefined;
  // Only the editor extension logs the definition of a tool, which names its server.
  if (isObject(definition)) {
    const server = readId(utils, definition, "group");
    const isMcpTool = readString(definition, "uri")?.startsWith("mcp:") === true;
    const tool = readId(utils, definition, "originalFunctionName") ?? loggedName;
    return isMcpTool && server !== null ? { server, tool } : undefined;
  }
  return builtInTools.has(loggedName) ? undefined : { server: unknownServer, tool: loggedName };
}

// The built-in tools of the CLI.
const builtInTools: ReadonlySet<string> = new Set([
  "AskQuestion",
  "Bash",
  "CheckBackgroundJob",
  "Checklist",
  "Diff",
  "Edit",
  "Exit",
  "Fetch",
  "List",
  "MultiEdit",
  "Read",
  "ReportFailure",
  "Search",
  "Skills",
  "Status",
  "Subagent",
  "UploadArtifact",
  "Write",
]);
