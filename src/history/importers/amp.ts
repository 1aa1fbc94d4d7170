import type {
  Importer,
  LogForm,
  LogHome,
  LogFacts,
  LogReader,
  ReaderTools,
} from "../imports/importer.ts";
import { arrayAt, compactJson, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, textFacts, timeFrom } from "./log-fields.ts";
import {
  type LogEvent,
  type LoggedOutcome,
  type RequestEvent,
  type ToolResultEvent,
  isNoUsage,
  type LoggedUsage,
  tokensFrom,
} from "../imports/log-event.ts";

export const amp: Importer = {
  id: "amp",
  name: "Amp",
  places: (home) => [{ folder: `${dataFolder(home)}/threads`, form: formOf }],
  unverified: [
    "the input of a request is taken not to hold its cached part",
    "threads that are kept on Amp's servers alone are not in the folder",
    "the form of calls is known from other programs that read it",
  ],
  open: (file, tools) => new AmpReader(file, tools),
};

function dataFolder({ folder, env }: LogHome): string {
  const named = env["AMP_DATA_DIR"];
  if (named?.startsWith("/") === true) return named.replace(/\/+$/, "");
  const xdg = env["XDG_DATA_HOME"];
  return `${xdg?.startsWith("/") === true ? xdg : `${folder}/.local/share`}/amp`;
}

function formOf(path: string): LogForm | undefined {
  return /^T-[^/]+\.json$/.test(path) ? "document" : undefined;
}

class AmpReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #thread: string;

  constructor({ path }: LogFacts, tools: ReaderTools) {
    this.#tools = tools;
    this.#thread = /([^/]+)\.json$/.exec(path)?.[1] ?? path;
  }

  take(document: JsonObject): void {
    const conversation = idAt(this.#tools, document, "id") ?? this.#thread;
    const at = timeFrom(document["created"]);
    this.#tools.emit({
      kind: "conversation",
      at,
      conversation,
      session: conversation,
      role: null,
      parent: null,
      clientVersion: null,
      project: null,
    });
    for (const message of arrayAt(document, "messages")) {
      if (isObject(message)) this.#takeMessage(message, conversation, at);
    }
    for (const entry of arrayAt(document, "usageLedger", "events")) {
      const event = ledgerEvent(entry, { at, conversation }, this.#tools);
      if (event) this.#tools.emit(event);
    }
  }

  state(): unknown {
    return null;
  }

  #takeMessage(message: JsonObject, conversation: string, created: number | null): void {
    const sent =
      timeFrom(memberAt(message, "usage", "timestamp")) ??
      timeFrom(memberAt(message, "meta", "sentAt"));
    const facts = { at: sent ?? created, conversation };
    const request = usageEvent(message, facts, this.#tools);
    if (request) this.#tools.emit(request);
    const model = idAt(this.#tools, message, "usage", "model");
    const key = request?.keys.message ?? null;
    for (const block of arrayAt(message, "content")) {
      const type = textAt(block, "type") ?? "";
      for (const event of blockEvents(block, { ...facts, type, model, key }, this.#tools)) {
        this.#tools.emit(event);
      }
    }
  }
}

type MessageFacts = { readonly at: number | null; readonly conversation: string };

function usageEvent(
  message: JsonObject,
  { at, conversation }: MessageFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = message["usage"];
  if (!isObject(logged)) return undefined;
  const usage = usageOf(logged);
  if (isNoUsage(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: keyOf(message["messageId"], conversation), request: null, line: null },
    isSideChain: false,
    model: idAt(tools, logged, "model"),
    usage,
    merge: "first",
  };
}

/** In older versions: counts if the message that it is about has no usage. */
function ledgerEvent(
  entry: unknown,
  { at, conversation }: MessageFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const input = tokensFrom(memberAt(entry, "tokens", "input"));
  const output = tokensFrom(memberAt(entry, "tokens", "output"));
  if (input + output === 0) return undefined;
  const message = keyOf(memberAt(entry, "toMessageId"), conversation);
  return {
    kind: "request",
    at: timeFrom(memberAt(entry, "timestamp")) ?? at,
    conversation,
    keys: { message, request: null, line: idAt(tools, entry, "id") },
    isSideChain: false,
    model: idAt(tools, entry, "model"),
    usage: {
      uncached: input,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output,
      reasoning: 0,
    },
    merge: "fallback",
  };
}

function keyOf(id: unknown, conversation: string): string | null {
  const isId = typeof id === "number" || (typeof id === "string" && id.length <= 100);
  return isId ? `${conversation}/${id}` : null;
}

function usageOf(logged: JsonObject): LoggedUsage {
  return {
    uncached: tokensFrom(logged["inputTokens"]),
    cacheRead: tokensFrom(logged["cacheReadInputTokens"]),
    cacheWrite5m: tokensFrom(logged["cacheCreationInputTokens"]),
    cacheWrite1h: 0,
    output: tokensFrom(logged["outputTokens"]),
    reasoning: 0,
  };
}

type BlockFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly type: string;
  readonly model: string | null;
  readonly key: string | null;
};

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["done", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
  ["rejected-by-user", "denied"],
]);

function blockEvents(
  block: unknown,
  { at, conversation, type, model, key }: BlockFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  if (type === "tool_use") {
    const own = idAt(tools, block, "id");
    const joined = idAt(tools, block, "name");
    if (own === null || joined?.startsWith("mcp__") !== true) return [];
    return [
      {
        kind: "tool_use",
        at,
        conversation,
        id: own,
        name: { joined, form: "double" },
        method: "tools/call",
        ...argumentFacts(memberAt(block, "input"), tools, model),
        model,
        isSideChain: false,
        message: key,
      },
    ];
  }
  const id = type === "tool_result" ? idAt(tools, block, "toolUseID") : null;
  const outcome = outcomes.get(textAt(block, "run", "status") ?? "");
  if (id === null || outcome === undefined) return [];
  return [resultOf(block, { at, conversation, id, outcome, model }, tools)];
}

function resultOf(
  block: unknown,
  {
    model,
    ...facts
  }: Pick<ToolResultEvent, "at" | "conversation" | "id" | "outcome"> & {
    readonly model: string | null;
  },
  tools: ReaderTools,
): ToolResultEvent {
  const shown = memberAt(block, "run", "result") ?? textAt(block, "run", "error", "message");
  const parts: readonly unknown[] = Array.isArray(shown) ? shown : [shown];
  const images = parts.filter((part) => textAt(part, "type") === "image");
  const texts = parts.filter((part) => !images.includes(part)).map(textOf);
  return {
    kind: "tool_result",
    ...facts,
    visible: shown === undefined ? "none" : "as_logged",
    ...(shown === undefined ? { bytes: null, tokens: null } : textFacts(texts, model, tools)),
    images: images.length,
    durationMs: null,
  };
}

function textOf(part: unknown): string {
  if (typeof part === "string") return part;
  return textAt(part, "text") ?? compactJson(part);
}
