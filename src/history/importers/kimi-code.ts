import type { Importer, LogForm, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  makeProjectFields,
  makeToolUse,
  makeServerSettings,
  makeToolResult,
  parseTime,
  readFolderVariable,
  readId,
  readBlocks,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type BoundaryEvent,
  type ToolName,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
} from "../imports/log-event.ts";
import { escapeName } from "../imports/split-tool-names.ts";

// One JSONL file per agent of a session, and one JSON document about the session.
export const kimiCode: Importer = {
  name: "Kimi Code",
  serverNames: "logged",
  findFolders: (home) => [{ folder: `${findHome(home)}/sessions`, detectForm }],
  findSettings: (home) => [makeServerSettings(`${findHome(home)}/mcp.json`)],
  unverified: [
    "no real log with forks, sub-agents or compactions was available; a fork is assumed to copy lines unchanged",
  ],
  open: (path, utils) => new KimiReader(path, utils),
};

function findHome({ folder, env }: UserHome): string {
  return readFolderVariable(env, "KIMI_CODE_HOME") ?? `${folder}/.kimi-code`;
}

function detectForm(path: string): LogForm | undefined {
  if (/^[^/]+\/[^/]+\/agents\/[^/]+\/wire\.jsonl$/.test(path)) return "lines";
  return /^[^/]+\/[^/]+\/state\.json$/.test(path) ? "document" : undefined;
}

const boundaries: ReadonlyMap<string, BoundaryEvent["reason"]> = new Map([
  ["context.apply_compaction", "compaction"],
  ["context.clear", "clear"],
  ["context.undo", "rewind"],
]);

export const discoveredToolsMax = 10_000;

class KimiReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #session: string;
  readonly #agent: string;
  readonly #discoveredNames = new Map<string, ToolName>();
  #isConversationEmitted = false;
  #alias: string | null = null;
  #model: string | null = null;
  #requestKey: string | null = null;

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    const [, session = path, , agent = "main"] = path.split("/");
    this.#session = session;
    this.#agent = agent;
  }

  take(line: JsonObject): void {
    const type = readString(line, "type");
    if (type === undefined) return this.#takeState(line);
    const at = parseTime(line["time"] ?? line["created_at"]);
    this.#emitConversation(at, null);
    const reason = boundaries.get(type);
    if (reason !== undefined) {
      const conversation = this.#conversation;
      this.#utils.emit({ kind: "boundary", at, conversation, reason, line: `${type} ${at ?? ""}` });
    } else if (type === "forked") this.#emitConversation(at, "fork");
    else if (type === "llm.request") this.#takeModel(line);
    else if (type === "usage.record") this.#takeUsage(line, at);
    else if (type === "mcp.tools_discovered") this.#takeTools(line);
    else if (type === "context.append_loop_event") this.#takeStep(line["event"], at);
  }

  get #conversation(): string {
    return this.#agent === "main" ? this.#session : `${this.#session}/${this.#agent}`;
  }

  #takeState(state: JsonObject): void {
    const folder = readString(state, "cwd");
    if (folder === undefined) return this.#utils.countUnknown();
    const parent = readId(this.#utils, state, "forkedFrom");
    this.#utils.emit({
      ...makeConversation(this.#session, parseTime(state["createdAt"])),
      role: parent === null ? null : "fork",
      parent,
      ...makeProjectFields(folder, this.#utils),
    });
  }

  #emitConversation(at: number | null, role: "fork" | null): void {
    if (this.#isConversationEmitted && role === null) return;
    this.#isConversationEmitted = true;
    const isMain = this.#agent === "main";
    this.#utils.emit({
      ...makeConversation(this.#conversation, at),
      session: this.#session,
      role: isMain ? role : "subagent",
      parent: isMain ? null : this.#session,
    });
  }

  // A usage record has only an alias of its model. So the alias and the model of the last request are kept.
  #takeModel(line: JsonObject): void {
    this.#alias = readId(this.#utils, line, "modelAlias");
    this.#model = readId(this.#utils, line, "model") ?? this.#alias;
  }

  #takeUsage(line: JsonObject, at: number | null): void {
    const usage = parseUsage(line["usage"]);
    const alias = readId(this.#utils, line, "model");
    const model = alias === this.#alias ? this.#model : alias;
    // Requests have no ids: alias, time and usage together identify one.
    this.#requestKey = [alias, at, ...Object.values(usage)].join(" ");
    if (isEmptyUsage(usage)) return;
    const facts = { at, conversation: this.#conversation, model };
    this.#utils.emit(makeRequestEvent(facts, this.#requestKey, usage, "first"));
  }

  #takeTools(line: JsonObject): void {
    const server = readId(this.#utils, line, "serverName");
    if (server === null) return;
    for (const definition of readArray(line, "tools")) {
      const tool = readId(this.#utils, definition, "name");
      if (tool === null || this.#discoveredNames.size >= discoveredToolsMax) continue;
      this.#discoveredNames.set(`mcp__${escapeName(server)}__${escapeName(tool)}`, {
        server,
        tool,
      });
    }
  }

  #takeStep(step: unknown, at: number | null): void {
    const type = readString(step, "type");
    if (type === "tool.call") this.#takeCall(step, at);
    else if (type === "tool.result") this.#takeResult(step, at);
  }

  // The id of a call is its `uuid`, because models reuse values of `toolCallId`.
  #takeCall(step: unknown, at: number | null): void {
    const id = readId(this.#utils, step, "uuid");
    const joined = readId(this.#utils, step, "name");
    if (id === null || joined?.startsWith("mcp__") !== true) return;
    const facts = { at, conversation: this.#conversation, model: this.#model };
    const name =
      this.#discoveredNames.get(joined) ?? ({ joined, form: "mcp__server__tool" } as const);
    const call = { id, name, args: readMember(step, "args") };
    this.#utils.emit(makeToolUse({ ...facts, message: this.#requestKey }, call, this.#utils));
  }

  #takeResult(step: unknown, at: number | null): void {
    const id = readId(this.#utils, step, "parentUuid");
    const result = readMember(step, "result");
    if (id === null || !isObject(result)) return;
    const facts = { at, conversation: this.#conversation, model: this.#model };
    const outcome = result["isError"] === true ? "tool_error" : "ok";
    const content = readBlocks(result["output"], "image_url");
    this.#utils.emit(makeToolResult(facts, { id, outcome, ...content }, this.#utils));
  }
}

function parseUsage(logged: unknown): LoggedUsage {
  return {
    ...noUsage,
    uncached: parseTokens(readMember(logged, "inputOther")),
    cacheRead: parseTokens(readMember(logged, "inputCacheRead")),
    cacheWrite5m: parseTokens(readMember(logged, "inputCacheCreation")),
    output: parseTokens(readMember(logged, "output")),
  };
}
