import { tryParseJson } from "#kit/errors.ts";
import type {
  Importer,
  LogFolder,
  LogHome,
  LogReader,
  ReaderTools,
  ServerSettings,
} from "../imports/importer.ts";
import { measureArguments, measureTexts, parseCost, parseTime, readId } from "./log-fields.ts";
import { listExtensionFolders } from "./vs-code.ts";
import { readArray, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type RequestEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
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
    "the form of tasks is taken from Roo Code's source: no real log was available",
    "models are unknown: tasks have the cost of a request, but not its model",
    "the logged input is assumed to include cache reads and writes unless they exceed it",
  ],
  open: (path, tools) => new TaskReader(path, tools, rooTasks),
};

export function makeServerSettings(file: string): ServerSettings {
  return { file, form: "json", paths: [["mcpServers"]] };
}

export function makeTaskFolders(home: LogHome, extension: string): readonly LogFolder[] {
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

// The extensions of Cline, Roo Code and Kilo Code log tasks alike.
type TaskForm = { readonly inputIncludesCache: boolean };

export const clineTasks: TaskForm = { inputIncludesCache: false };

export const rooTasks: TaskForm = { inputIncludesCache: true };

// The last two sum up requests.
const usageKinds = new Set(["api_req_started", "deleted_api_reqs", "subagent_usage"]);

const boundaryKinds = new Set(["condense_context", "sliding_window_truncation"]);

// Reads the messages of the user interface: those sent to the model have no tokens. Their times are unique.
export class TaskReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #task: string;
  readonly #form: TaskForm;
  #isDescribed = false;
  #request: RequestEvent | undefined;
  #asked: unknown;
  #callId: string | undefined;

  constructor(path: string, tools: ReaderTools, form: TaskForm) {
    this.#tools = tools;
    this.#task = path.split("/")[0] ?? path;
    this.#form = form;
  }

  take(message: JsonObject): void {
    const kind = readString(message, "say") ?? readString(message, "ask");
    const at = parseTime(message["ts"]);
    if (kind === undefined || at === null) return this.#tools.countUnknown();
    this.#describe(at);
    const text = readString(message, "text") ?? "";
    if (usageKinds.has(kind)) this.#takeRequest(message, tryParseJson(text), at);
    else if (kind === "use_mcp_server") this.#asked = tryParseJson(text);
    else if (kind === "mcp_server_request_started") this.#startCall(at);
    else if (kind === "mcp_server_response") this.#endCall(message, text, at);
    else if (boundaryKinds.has(kind)) {
      const line = this.#makeKey(at);
      this.#tools.emit({
        kind: "boundary",
        at,
        conversation: this.#task,
        reason: "compaction",
        line,
      });
    }
  }

  #makeKey(at: number): string {
    return `${this.#task}/${at}`;
  }

  #describe(at: number): void {
    if (this.#isDescribed) return;
    this.#isDescribed = true;
    this.#tools.emit(makeConversation(this.#task, at));
  }

  #takeRequest(message: JsonObject, logged: unknown, at: number): void {
    const usage = parseTaskUsage(logged, this.#form);
    const nativeCost = parseCost(readMember(logged, "cost"));
    this.#request = {
      kind: "request",
      at,
      conversation: this.#task,
      keys: { message: this.#makeKey(at), request: null, line: null },
      model: readId(this.#tools, message, "modelInfo", "modelId"),
      usage,
      merge: "largest",
      ...(nativeCost === undefined ? {} : { nativeCost }),
    };
    if (!isEmptyUsage(usage)) this.#tools.emit(this.#request);
  }

  // A call that the user denied never starts.
  #startCall(at: number): void {
    const asked = this.#asked;
    this.#asked = undefined;
    this.#callId = undefined;
    const server = readId(this.#tools, asked, "serverName");
    const isResource = readString(asked, "type") === "access_mcp_resource";
    const tool = isResource ? "resources/read" : readId(this.#tools, asked, "toolName");
    if (server === null || tool === null) return;
    const { model = null, keys } = this.#request ?? {};
    const args = isResource ? { uri: readString(asked, "uri") } : readMember(asked, "arguments");
    this.#callId = this.#makeKey(at);
    this.#tools.emit({
      kind: "tool_use",
      at,
      conversation: this.#task,
      id: this.#callId,
      name: { server, tool },
      method: isResource ? "resources/read" : "tools/call",
      ...measureArguments(args, this.#tools, model),
      model,
      message: keys?.message ?? null,
    });
  }

  #endCall(message: JsonObject, text: string, at: number): void {
    if (this.#callId === undefined) return;
    // Cline appends images to the text, which the model gets as images.
    const [answer = "", ...images] = text.split(/\n\n(?=data:image\/)/);
    this.#tools.emit({
      kind: "tool_result",
      at,
      conversation: this.#task,
      id: this.#callId,
      outcome: answer.startsWith("Error:\n") ? "tool_error" : "ok",
      visible: "as_logged",
      ...measureTexts([answer], this.#tools, this.#request?.model ?? null),
      images: images.length + readArray(message, "images").length,
    });
    this.#callId = undefined;
  }
}

// Older versions of Roo Code exclude cached tokens for some providers: only then can they exceed the input.
function parseTaskUsage(logged: unknown, { inputIncludesCache }: TaskForm): LoggedUsage {
  const cacheRead = parseTokens(readMember(logged, "cacheReads"));
  const cacheWrite5m = parseTokens(readMember(logged, "cacheWrites"));
  const input = parseTokens(readMember(logged, "tokensIn"));
  const cached = inputIncludesCache && input >= cacheRead + cacheWrite5m;
  return {
    ...noUsage,
    uncached: cached ? input - cacheRead - cacheWrite5m : input,
    cacheRead,
    cacheWrite5m,
    output: parseTokens(readMember(logged, "tokensOut")),
  };
}
