import type {
  Importer,
  LogForm,
  LogFolder,
  UserHome,
  LogReader,
  ReaderUtils,
} from "../imports/importer.ts";
import {
  findApplicationFolder,
  makeServerSettings,
  makeToolUse,
  readId,
  measureTexts,
  parseTime,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type LogEvent,
  type ToolResultEvent,
  noUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  type CallFacts,
} from "../imports/log-event.ts";

// One file of changes per session. Older versions wrote one JSON document.
export const vsCode: Importer = {
  name: "VS Code",
  serverNames: "guessed",
  findFolders: (home) => listUserFolders(home, products).flatMap(makeLogFolders),
  unverified: [
    "if a request has several prompts, only the tokens of the last prompt are logged; all logged input tokens count as uncached",
    "calls are logged only after their request has ended, and every answered call is assumed to have succeeded",
    "tool names are split at the first underscore after the prefix if the server is unknown",
  ],
  findSettings: (home) =>
    listUserFolders(home, products).map((user) =>
      makeServerSettings(`${user}/mcp.json`, "servers"),
    ),
  open: (path, utils) => new VsCodeReader(path, utils),
};

const products = ["Code", "Code - Insiders", "VSCodium"];

function listUserFolders(home: UserHome, names: readonly string[]): readonly string[] {
  return names.map((name) => `${findApplicationFolder(home)}/${name}/User`);
}

export function listExtensionFolders(home: UserHome, extension: string): readonly string[] {
  const users = listUserFolders(home, [...products, "Cursor", "Windsurf"]);
  const remote = `${home.folder}/.vscode-server/data/User`;
  return [...users, remote].map((user) => `${user}/globalStorage/${extension}`);
}

// Enters only the folders of sessions: extensions store large folders next to them.
function makeLogFolders(user: string): readonly LogFolder[] {
  return [
    {
      folder: `${user}/workspaceStorage`,
      mayEnter: (path) => /^[^/]+(?:\/chatSessions)?$/.test(path),
      detectForm: (path) => detectForm(/^[^/]+\/chatSessions\/([^/]+)$/.exec(path)?.[1]),
    },
    { folder: `${user}/globalStorage/emptyWindowChatSessions`, detectForm },
  ];
}

function detectForm(name: string = ""): LogForm | undefined {
  if (name.includes("/") || name === "history.jsonl" || name === "auth.json") return undefined;
  if (name.endsWith(".jsonl")) return "lines";
  return /^[\da-f-]{36}\.json$/i.test(name) ? "document" : undefined;
}

export const loggedRequestsMax = 100_000;

// A line is a change. Kind 0 sets the whole session. Kind 1 sets the value at the path `k`. Kind 2 keeps the first `i`
// items of the list at the path `k`, then appends `v`. Kind 3 deletes.
export class VsCodeReader implements LogReader {
  readonly #utils: ReaderUtils;
  #session: string;
  #isConversationEmitted = false;
  #requests: RequestFacts[] = [];

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#session = /([^/]+)\.jsonl?$/.exec(path)?.[1] ?? path;
  }

  take(line: JsonObject): void {
    const { kind, v: value } = line;
    if (Array.isArray(line["requests"])) this.#begin(line);
    else if (kind === 0 && isObject(value)) this.#begin(value);
    else if (kind === 1 || kind === 2) this.#change(line);
    else if (kind !== 3) this.#utils.countUnknown();
  }

  #begin(state: JsonObject): void {
    this.#session = readId(this.#utils, state, "sessionId") ?? this.#session;
    this.#emitConversation(parseTime(state["creationDate"]));
    this.#requests = [];
    this.#append(readArray(state, "requests"));
  }

  #change({ kind, k: path, v: value, i: end }: JsonObject): void {
    if (!Array.isArray(path) || path[0] !== "requests") return;
    const [, index, member]: unknown[] = path;
    if (path.length === 1) {
      const cutAt = isIndex(end) ? end : this.#requests.length;
      this.#requests = this.#requests.slice(0, kind === 2 ? cutAt : 0);
      this.#append(Array.isArray(value) ? value : []);
    } else if (kind === 1 && isIndex(index)) {
      if (path.length === 2) this.#set(index, value);
      else if (path.length === 3) this.#set(index, { [String(member)]: value });
    }
  }

  #append(requests: readonly unknown[]): void {
    for (const request of requests) this.#set(this.#requests.length, request);
  }

  #set(index: number, members: unknown): void {
    // An index beyond the end means that a change was lost, because indexes have no gaps.
    if (index > this.#requests.length || index >= loggedRequestsMax) return;
    const facts = updateRequest(this.#requests[index] ?? noRequest, members, this.#utils);
    this.#requests[index] = facts;
    this.#emitConversation(facts.timestamp);
    for (const event of parseRequest(facts, members, this.#session, this.#utils)) {
      this.#utils.emit(event);
    }
  }

  #emitConversation(at: number | null): void {
    if (this.#isConversationEmitted) return;
    this.#isConversationEmitted = true;
    this.#utils.emit({
      ...makeConversation(this.#session, at),
      // The log has only the tokens of a request's last prompt.
      isApproximate: true,
    });
  }
}

function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parseRequest(
  facts: RequestFacts,
  members: unknown,
  conversation: string,
  utils: ReaderUtils,
): readonly LogEvent[] {
  const { requestId, timestamp: at, modelId, promptTokens, completionTokens } = facts;
  if (!isObject(members) || requestId === null) return [];
  const message = `${conversation}/${requestId}`;
  const model = modelId?.split("/").at(-1) ?? null;
  const rounds = readArray(readMember(members, "result", "metadata"), "toolCallRounds");
  const results = readMember(members, "result", "metadata", "toolCallResults");
  const calls = rounds.flatMap((round) =>
    readArray(round, "toolCalls").flatMap((call) =>
      parseCall(call, results, { at, conversation, message, model }, utils),
    ),
  );
  if (promptTokens + completionTokens === 0) return calls;
  const usage = { ...noUsage, uncached: promptTokens, output: completionTokens };
  return [makeRequestEvent({ at, conversation, model }, message, usage, "last"), ...calls];
}

type RequestFacts = {
  readonly requestId: string | null;
  readonly timestamp: number | null;
  readonly modelId: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

const noRequest: RequestFacts = {
  requestId: null,
  timestamp: null,
  modelId: null,
  promptTokens: 0,
  completionTokens: 0,
};

function updateRequest(facts: RequestFacts, members: unknown, utils: ReaderUtils): RequestFacts {
  if (!isObject(members)) return facts;
  const result = readMember(members, "result", "metadata");
  const prompt =
    parseTokens(members["promptTokens"]) || parseTokens(readMember(result, "promptTokens"));
  const completion =
    parseTokens(members["completionTokens"]) || parseTokens(readMember(result, "outputTokens"));
  return {
    requestId: readId(utils, members, "requestId") ?? facts.requestId,
    timestamp: parseTime(members["timestamp"]) ?? facts.timestamp,
    modelId:
      readId(utils, result, "resolvedModel") ?? readId(utils, members, "modelId") ?? facts.modelId,
    promptTokens: prompt || facts.promptTokens,
    completionTokens: completion || facts.completionTokens,
  };
}

type RoundFacts = CallFacts & { readonly message: string };

function parseCall(
  call: unknown,
  results: unknown,
  facts: RoundFacts,
  utils: ReaderUtils,
): readonly LogEvent[] {
  const callId = readId(utils, call, "id");
  const joined = readId(utils, call, "name");
  if (callId === null || joined?.startsWith("mcp_") !== true) return [];
  const { at, conversation, model } = facts;
  // Some models restart call ids in every session.
  const id = `${conversation}/${callId}`;
  const args = readMember(call, "arguments");
  const use = makeToolUse(facts, { id, name: { joined, form: "mcp_server_tool" }, args }, utils);
  const result = readMember(results, callId);
  if (result === undefined) return [use];
  const answer = parseAnswer(readArray(result, "content"), model, utils);
  return [use, { kind: "tool_result", at, conversation, id, outcome: "ok", ...answer, images: 0 }];
}

function parseAnswer(
  items: readonly unknown[],
  model: string | null,
  utils: ReaderUtils,
): Pick<ToolResultEvent, "visible" | "bytes" | "tokens"> {
  const texts = items.flatMap((item) => readString(item, "value") ?? []);
  if (texts.length < items.length) return { visible: "unknown", bytes: null, tokens: null };
  return { visible: "as_logged", ...measureTexts(texts, utils, model) };
}
