import type { Importer, LogForm, LogHome, LogReader, ReaderTools } from "../imports/importer.ts";
import {
  findDataHome,
  readFolderVariable,
  measureArguments,
  readId,
  measureTexts,
  parseTime,
  readBlocks,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type LogEvent,
  type LoggedOutcome,
  type RequestEvent,
  type ToolResultEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  noUsage,
  type CallFacts,
} from "../imports/log-event.ts";

export const amp: Importer = {
  name: "Amp",
  serverNames: "logged",
  findFolders: (home) => [{ folder: `${findDataFolder(home)}/threads`, detectForm }],
  unverified: [
    "the logged input of a request is assumed to exclude cached tokens",
    "threads stored only on Amp's servers are missing",
    "the format of calls is taken from other programs that read these logs",
  ],
  open: (path, tools) => new AmpReader(path, tools),
};

function findDataFolder(home: LogHome): string {
  return readFolderVariable(home.env, "AMP_DATA_DIR") ?? `${findDataHome(home)}/amp`;
}

function detectForm(path: string): LogForm | undefined {
  return /^T-[^/]+\.json$/.test(path) ? "document" : undefined;
}

class AmpReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #thread: string;

  constructor(path: string, tools: ReaderTools) {
    this.#tools = tools;
    this.#thread = /([^/]+)\.json$/.exec(path)?.[1] ?? path;
  }

  take(document: JsonObject): void {
    const conversation = readId(this.#tools, document, "id") ?? this.#thread;
    const at = parseTime(document["created"]);
    this.#tools.emit(makeConversation(conversation, at));
    for (const message of readArray(document, "messages")) {
      if (isObject(message)) this.#takeMessage(message, conversation, at);
    }
    for (const entry of readArray(document, "usageLedger", "events")) {
      const event = makeLedgerEvent(entry, { at, conversation }, this.#tools);
      if (event) this.#tools.emit(event);
    }
  }

  #takeMessage(message: JsonObject, conversation: string, created: number | null): void {
    const sent =
      parseTime(readMember(message, "usage", "timestamp")) ??
      parseTime(readMember(message, "meta", "sentAt"));
    const facts = { at: sent ?? created, conversation };
    const request = makeUsageEvent(message, facts, this.#tools);
    if (request) this.#tools.emit(request);
    const model = readId(this.#tools, message, "usage", "model");
    const key = request?.keys.message ?? null;
    for (const block of readArray(message, "content")) {
      const type = readString(block, "type") ?? "";
      for (const event of parseBlock(block, { ...facts, type, model, key }, this.#tools)) {
        this.#tools.emit(event);
      }
    }
  }
}

type MessageFacts = { readonly at: number | null; readonly conversation: string };

function makeUsageEvent(
  message: JsonObject,
  { at, conversation }: MessageFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = message["usage"];
  if (!isObject(logged)) return undefined;
  const usage = parseUsage(logged);
  if (isEmptyUsage(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: makeKey(message["messageId"], conversation), request: null, line: null },
    model: readId(tools, logged, "model"),
    usage,
    merge: "first",
  };
}

// Only older versions have a ledger. An entry counts if its message has no usage.
function makeLedgerEvent(
  entry: unknown,
  { at, conversation }: MessageFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const input = parseTokens(readMember(entry, "tokens", "input"));
  const output = parseTokens(readMember(entry, "tokens", "output"));
  if (input + output === 0) return undefined;
  const message = makeKey(readMember(entry, "toMessageId"), conversation);
  return {
    kind: "request",
    at: parseTime(readMember(entry, "timestamp")) ?? at,
    conversation,
    keys: { message, request: null, line: readId(tools, entry, "id") },
    model: readId(tools, entry, "model"),
    usage: {
      ...noUsage,
      uncached: input,
      output,
    },
    merge: "fallback",
  };
}

function makeKey(id: unknown, conversation: string): string | null {
  const isId = typeof id === "number" || (typeof id === "string" && id.length <= 100);
  return isId ? `${conversation}/${id}` : null;
}

function parseUsage(logged: JsonObject): LoggedUsage {
  return {
    ...noUsage,
    uncached: parseTokens(logged["inputTokens"]),
    cacheRead: parseTokens(logged["cacheReadInputTokens"]),
    cacheWrite5m: parseTokens(logged["cacheCreationInputTokens"]),
    output: parseTokens(logged["outputTokens"]),
  };
}

type BlockFacts = CallFacts & { readonly type: string; readonly key: string | null };

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["done", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
  ["rejected-by-user", "denied"],
]);

function parseBlock(
  block: unknown,
  { at, conversation, type, model, key }: BlockFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  if (type === "tool_use") {
    const callId = readId(tools, block, "id");
    const joined = readId(tools, block, "name");
    if (callId === null || joined?.startsWith("mcp__") !== true) return [];
    return [
      {
        kind: "tool_use",
        at,
        conversation,
        id: callId,
        name: { joined, form: "double" },
        method: "tools/call",
        ...measureArguments(readMember(block, "input"), tools, model),
        model,
        message: key,
      },
    ];
  }
  const id = type === "tool_result" ? readId(tools, block, "toolUseID") : null;
  const outcome = outcomes.get(readString(block, "run", "status") ?? "");
  if (id === null || outcome === undefined) return [];
  return [parseResult(block, { at, conversation, id, outcome, model }, tools)];
}

function parseResult(
  block: unknown,
  {
    model,
    ...facts
  }: Pick<ToolResultEvent, "at" | "conversation" | "id" | "outcome"> & {
    readonly model: string | null;
  },
  tools: ReaderTools,
): ToolResultEvent {
  const content =
    readMember(block, "run", "result") ?? readString(block, "run", "error", "message");
  const { texts, images } = readBlocks(content, "image");
  return {
    kind: "tool_result",
    ...facts,
    visible: content === undefined ? "none" : "as_logged",
    ...(content === undefined ? { bytes: null, tokens: null } : measureTexts(texts, tools, model)),
    images,
  };
}
