import type { Importer, UserHome, LogReader, ReaderUtils } from "../imports/importer.ts";
import {
  findDataHome,
  readFolderVariable,
  makeToolUse,
  readId,
  measureTexts,
  parseTime,
  readBlocks,
} from "./log-fields.ts";
import { readArray, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import {
  type LoggedOutcome,
  type RequestEvent,
  type ToolResultEvent,
  type ToolUseEvent,
  isEmptyUsage,
  type LoggedUsage,
  parseTokens,
  makeConversation,
  makeRequestEvent,
  noUsage,
  type CallFacts,
} from "../imports/log-event.ts";

export const amp: Importer = {
  name: "Amp",
  serverNames: "logged",
  findFolders: (home) => [
    {
      folder: `${findDataFolder(home)}/threads`,
      detectForm: (path) => (/^T-[^/]+\.json$/.test(path) ? "document" : undefined),
    },
  ],
  unverified: [
    "the logged input of a request is assumed to exclude cached tokens",
    "threads stored only on Amp's servers are missing",
    "the format of calls is taken from other programs that read these logs",
  ],
  open: (path, utils) => new AmpReader(path, utils),
};

function findDataFolder(home: UserHome): string {
  return readFolderVariable(home.env, "AMP_DATA_DIR") ?? `${findDataHome(home)}/amp`;
}

class AmpReader implements LogReader {
  readonly #utils: ReaderUtils;
  readonly #thread: string;
  readonly #modelsByCall = new Map<string, string | null>();

  constructor(path: string, utils: ReaderUtils) {
    this.#utils = utils;
    this.#thread = /([^/]+)\.json$/.exec(path)?.[1] ?? path;
  }

  take(document: JsonObject): void {
    const conversation = readId(this.#utils, document, "id") ?? this.#thread;
    const createdAt = parseTime(document["created"]);
    const facts = { at: createdAt, conversation };
    this.#utils.emit(makeConversation(conversation, createdAt));
    const ledger = readArray(document, "usageLedger", "events").flatMap(
      (entry) => makeLedgerEvent(entry, facts, this.#utils) ?? [],
    );
    const ledgerModels = new Map(ledger.map(({ keys, model }) => [keys.message, model]));
    for (const message of readArray(document, "messages")) {
      if (isObject(message)) this.#takeMessage(message, facts, ledgerModels);
    }
    for (const event of ledger) this.#utils.emit(event);
  }

  #takeMessage(
    message: JsonObject,
    { at: createdAt, conversation }: EventFacts,
    ledgerModels: ReadonlyMap<string | null, string | null>,
  ): void {
    const sentAt =
      parseTime(readMember(message, "usage", "timestamp")) ??
      parseTime(readMember(message, "meta", "sentAt"));
    const facts = { at: sentAt ?? createdAt, conversation };
    const request = makeUsageEvent(message, facts, this.#utils);
    if (request) this.#utils.emit(request);
    const messageKey = makeKey(message["messageId"], conversation);
    const loggedModel = readId(this.#utils, message, "usage", "model");
    const ledgerModel = messageKey === null ? null : ledgerModels.get(messageKey);
    const model = loggedModel ?? ledgerModel ?? null;
    for (const block of readArray(message, "content")) {
      const use = parseToolUse(block, { ...facts, model, message: messageKey }, this.#utils);
      if (use) this.#modelsByCall.set(use.id, model);
      const event = use ?? this.#parseResult(block, facts);
      if (event) this.#utils.emit(event);
    }
  }

  #parseResult(block: unknown, facts: EventFacts): ToolResultEvent | undefined {
    const isResult = readString(block, "type") === "tool_result";
    const id = isResult ? readId(this.#utils, block, "toolUseID") : null;
    const model = id === null ? undefined : this.#modelsByCall.get(id);
    const outcome = outcomes.get(readString(block, "run", "status") ?? "");
    if (id === null || model === undefined || outcome === undefined) return undefined;
    return parseResult(block, { ...facts, id, outcome, model }, this.#utils);
  }
}

type EventFacts = { readonly at: number | null; readonly conversation: string };

function makeUsageEvent(
  message: JsonObject,
  { at, conversation }: EventFacts,
  utils: ReaderUtils,
): RequestEvent | undefined {
  const logged = message["usage"];
  if (!isObject(logged)) return undefined;
  const usage = parseUsage(logged);
  if (isEmptyUsage(usage)) return undefined;
  const facts = { at, conversation, model: readId(utils, logged, "model") };
  return makeRequestEvent(facts, makeKey(message["messageId"], conversation), usage, "first");
}

// Only older versions have a ledger. Its entry for a message counts only if the message logs no usage.
function makeLedgerEvent(
  entry: unknown,
  { at, conversation }: EventFacts,
  utils: ReaderUtils,
): RequestEvent | undefined {
  const input = parseTokens(readMember(entry, "tokens", "input"));
  const output = parseTokens(readMember(entry, "tokens", "output"));
  if (input + output === 0) return undefined;
  const message = makeKey(readMember(entry, "toMessageId"), conversation);
  return {
    kind: "request",
    at: parseTime(readMember(entry, "timestamp")) ?? at,
    conversation,
    keys: { message, request: null, line: readId(utils, entry, "id") },
    model: readId(utils, entry, "model"),
    usage: { ...noUsage, uncached: input, output },
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

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["done", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
  ["rejected-by-user", "denied"],
]);

function parseToolUse(
  block: unknown,
  facts: CallFacts & { readonly message: string | null },
  utils: ReaderUtils,
): ToolUseEvent | undefined {
  const id = readString(block, "type") === "tool_use" ? readId(utils, block, "id") : null;
  const joined = readId(utils, block, "name");
  if (id === null || joined?.startsWith("mcp__") !== true) return undefined;
  const args = readMember(block, "input");
  return makeToolUse(facts, { id, name: { joined, form: "mcp__server__tool" }, args }, utils);
}

function parseResult(
  block: unknown,
  { model, ...facts }: CallFacts & Pick<ToolResultEvent, "id" | "outcome">,
  utils: ReaderUtils,
): ToolResultEvent {
  const content =
    readMember(block, "run", "result") ?? readString(block, "run", "error", "message");
  const { texts, images } = readBlocks(content, "image");
  return {
    kind: "tool_result",
    ...facts,
    visible: content === undefined ? "none" : "as_logged",
    ...(content === undefined ? { bytes: null, tokens: null } : measureTexts(texts, utils, model)),
    images,
  };
}
