import { tryParseJson } from "#kit/errors.ts";
import type { Importer, LogFolder, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  makeServerSettings,
  makeToolResult,
  makeToolUse,
  parseCost,
  parseTime,
  readId,
} from "./log-fields.ts";
import { listExtensionFolders } from "./vs-code.ts";
import { readArray, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type RequestEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
} from "../imports/log-event.ts";

const rooExtension = "rooveterinaryinc.roo-cline";

export const rooCode: Importer = {
  name: "Roo Code",
  serverNames: "logged",
  findFolders: (home) => makeTaskFolders(home, rooExtension),
  findSettings: (home) =>
    listExtensionFolders(home, rooExtension).map((folder) =>
      makeServerSettings(`${folder}/settings/mcp_settings.json`),
    ),
  unverified: [
    "the format of tasks is taken from Roo Code's source; no real log was available",
    "models are unknown: tasks have the cost of a request, but not its model",
    "the logged input is assumed to include cache reads and writes, unless together they exceed the input",
  ],
  open: (path, utils) => new TaskReader(path, utils, rooTasks),
};

export function makeTaskFolders(home: UserHome, extension: string): readonly LogFolder[] {
  return listExtensionFolders(home, extension).map((folder) => makeTaskFolder(`${folder}/tasks`));
}

export function makeTaskFolder(folder: string): LogFolder {
  return {
    folder,
    detectForm: (path) => (isTask(path) ? "document" : undefined),
    mayEnter: (path) => !path.includes("/"),
  };
}

export function isTask(path: string): boolean {
  return /^[^/]+\/ui_messages\.json$/.test(path);
}

// The extensions of Cline, Roo Code and Kilo Code write logs in the same format. But only some of them include cached
// tokens in the input.
type TaskForm = { readonly inputIncludesCache: boolean };

export const clineTasks: TaskForm = { inputIncludesCache: false };

export const rooTasks: TaskForm = { inputIncludesCache: true };

// The second and the third kind sum up several requests.
const usageKinds = new Set(["api_req_started", "deleted_api_reqs", "subagent_usage"]);

const boundaryKinds = new Set(["condense_context", "sliding_window_truncation"]);

// Reads the log of messages shown to the user, because the log of messages to the model has no token counts. The time
// of a message is unique, so it serves as an id.
export class TaskReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #task: string;
  readonly #form: TaskForm;
  #isConversationEmitted = false;
  #request: RequestEvent | undefined;
  #requestedCall: unknown;
  #callId: string | undefined;

  constructor(path: string, utils: ReaderUtils, form: TaskForm) {
    this.#utils = utils;
    this.#task = path.split("/")[0] ?? path;
    this.#form = form;
  }

  take(message: JsonObject): void {
    const kind = readString(message, "say") ?? readString(message, "ask");
    const at = parseTime(message["ts"]);
    if (kind === undefined || at === null) return this.#utils.countUnknown();
    this.#emitConversation(at);
    const text = readString(message, "text") ?? "";
    if (usageKinds.has(kind)) this.#takeRequest(message, tryParseJson(text), at);
    else if (kind === "use_mcp_server") this.#requestedCall = tryParseJson(text);
    else if (kind === "mcp_server_request_started") this.#startCall(at);
    else if (kind === "mcp_server_response") this.#endCall(message, text, at);
    else if (boundaryKinds.has(kind)) {
      const boundary = { conversation: this.#task, reason: "compaction" } as const;
      this.#utils.emit({ kind: "boundary", at, ...boundary, line: this.#makeKey(at) });
    }
  }

  #makeKey(at: number): string {
    return `${this.#task}/${at}`;
  }

  #emitConversation(at: number): void {
    if (this.#isConversationEmitted) return;
    this.#isConversationEmitted = true;
    this.#utils.emit(makeConversation(this.#task, at));
  }

  #takeRequest(message: JsonObject, logged: unknown, at: number): void {
    const usage = parseTaskUsage(logged, this.#form);
    const model = readId(this.#utils, message, "modelInfo", "modelId");
    const facts = { at, conversation: this.#task, model };
    this.#request = {
      ...makeRequestEvent(facts, this.#makeKey(at), usage, "largest"),
      nativeCost: parseCost(readMember(logged, "cost")),
    };
    if (!isEmptyUsage(usage)) this.#utils.emit(this.#request);
  }

  // Emits a call only when it starts, because the user may deny a requested call.
  #startCall(at: number): void {
    const requested = this.#requestedCall;
    this.#requestedCall = undefined;
    this.#callId = undefined;
    const server = readId(this.#utils, requested, "serverName");
    const isResource = readString(requested, "type") === "access_mcp_resource";
    const tool = isResource ? "resources/read" : readId(this.#utils, requested, "toolName");
    if (server === null || tool === null) return;
    const { model = null, keys } = this.#request ?? {};
    const args = isResource
      ? { uri: readString(requested, "uri") }
      : readMember(requested, "arguments");
    this.#callId = this.#makeKey(at);
    const facts = { at, conversation: this.#task, model, message: keys?.message ?? null };
    const method = isResource ? "resources/read" : "tools/call";
    const call = { id: this.#callId, name: { server, tool }, method, args } as const;
    this.#utils.emit(makeToolUse(facts, call, this.#utils));
  }

  #endCall(message: JsonObject, text: string, at: number): void {
    if (this.#callId === undefined) return;
    // Cline appends images to the text of a message, although the model gets them as images.
    const [answer = "", ...images] = text.split(/\n\n(?=data:image\/)/);
    const facts = { at, conversation: this.#task, model: this.#request?.model ?? null };
    const result = {
      id: this.#callId,
      outcome: answer.startsWith("Error:\n") ? "tool_error" : "ok",
      texts: [answer],
      images: images.length + readArray(message, "images").length,
    } as const;
    this.#utils.emit(makeToolResult(facts, result, this.#utils));
    this.#callId = undefined;
  }
}

// For some providers, older versions of Roo Code do not count cached tokens as input. Only a request with more
// cached tokens than input shows this for certain.
function parseTaskUsage(logged: unknown, { inputIncludesCache }: TaskForm): LoggedUsage {
  const cacheRead = parseTokens(readMember(logged, "cacheReads"));
  const cacheWrite5m = parseTokens(readMember(logged, "cacheWrites"));
  const input = parseTokens(readMember(logged, "tokensIn"));
  const isCacheIncluded = inputIncludesCache && input >= cacheRead + cacheWrite5m;
  return {
    ...noUsage,
    uncached: isCacheIncluded ? input - cacheRead - cacheWrite5m : input,
    cacheRead,
    cacheWrite5m,
    output: parseTokens(readMember(logged, "tokensOut")),
  };
}
