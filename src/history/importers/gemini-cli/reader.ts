import type { LogFacts, LogReader, ReaderTools } from "../../imports/importer.ts";
import type { BoundaryEvent, LogEvent, RequestEvent } from "../../imports/log-event.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { idAt, timeFrom } from "../log-fields.ts";
import { type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";
import { callEvents } from "./call-events.ts";
import type { MessageFacts } from "./message-facts.ts";

const otherMessages = new Set(["user", "info", "warning", "error"]);

export class GeminiReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #parent: string | null;
  #session: string;
  #isDescribed: boolean;
  #at: number | null;
  #boundaries: number;
  #isBegun: boolean;

  constructor({ path }: LogFacts, tools: ReaderTools, state?: unknown) {
    this.#tools = tools;
    this.#parent = /\/chats\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? null;
    this.#session = idAt(tools, state, "session") ?? sessionIn(path);
    this.#isDescribed = memberAt(state, "isDescribed") === true;
    this.#isBegun = memberAt(state, "isBegun") === true;
    this.#at = timeFrom(memberAt(state, "at"));
    this.#boundaries = Number(memberAt(state, "boundaries")) || 0;
  }

  take(line: JsonObject): void {
    if (textAt(line, "sessionId") !== undefined) this.#takeMetadata(line);
    else if (isObject(line["$set"])) this.#takeChange(line["$set"]);
    else if (textAt(line, "$rewindTo") !== undefined) this.#emitBoundary("rewind");
    else if (textAt(line, "id") !== undefined) this.#takeMessage(line);
    else this.#tools.countUnknown();
  }

  state(): unknown {
    return {
      session: this.#session,
      isDescribed: this.#isDescribed,
      isBegun: this.#isBegun,
      at: this.#at,
      boundaries: this.#boundaries,
    };
  }

  /** A resumed session has this line again. */
  #takeMetadata(line: JsonObject): void {
    this.#session = idAt(this.#tools, line, "sessionId") ?? this.#session;
    this.#isDescribed = false;
    this.#at = timeFrom(line["startTime"]) ?? this.#at;
    this.#describe(textAt(line, "kind") === "subagent");
    this.#takeMessages(line);
  }

  /** A checkpoint replaces the list of messages; the old ones are paid for all the same. */
  #takeChange(change: JsonObject): void {
    const messages = arrayAt(change, "messages");
    if (messages.length > 0 && this.#isBegun) this.#emitBoundary("clear");
    this.#takeMessages(change);
  }

  #takeMessages(holder: JsonObject): void {
    for (const message of arrayAt(holder, "messages")) {
      if (isObject(message)) this.#takeMessage(message);
    }
  }

  #takeMessage(message: JsonObject): void {
    const type = textAt(message, "type") ?? "";
    this.#at = timeFrom(message["timestamp"]) ?? this.#at;
    if (type !== "gemini") {
      if (!otherMessages.has(type)) this.#tools.countUnknown();
      return;
    }
    this.#isBegun = true;
    this.#describe(this.#parent !== null);
    const facts = { at: this.#at, conversation: this.#session };
    for (const event of messageEvents(message, facts, this.#tools)) this.#tools.emit(event);
  }

  #emitBoundary(why: BoundaryEvent["why"]): void {
    this.#boundaries += 1;
    const line = `${this.#session}/${this.#boundaries}`;
    this.#tools.emit({ kind: "boundary", at: this.#at, conversation: this.#session, why, line });
  }

  #describe(isSubagent: boolean): void {
    if (this.#isDescribed) return;
    this.#isDescribed = true;
    this.#tools.emit({
      kind: "conversation",
      at: this.#at,
      conversation: this.#session,
      session: this.#session,
      role: isSubagent || this.#parent !== null ? "subagent" : "main",
      parent: this.#parent,
      clientVersion: null,
      // A slug that the client chose for the folder.
      project: null,
    });
  }
}

function sessionIn(path: string): string {
  return /([^/]+)\.jsonl?$/.exec(path)?.[1] ?? path;
}

/** Ids are unique within a session only. */
export function messageEvents(
  message: JsonObject,
  facts: MessageFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const model = idAt(tools, message, "model");
  const id = idAt(tools, message, "id");
  const key = id === null ? null : `${facts.conversation}/${id}`;
  const request = requestOf(message, { ...facts, key, model });
  const calls = arrayAt(message, "toolCalls").flatMap((call) =>
    callEvents(call, { ...facts, message: key, model }, tools),
  );
  return [...(request ? [request] : []), ...calls];
}

/** Undefined without tokens: such a line is written before or instead of an answer. */
function requestOf(
  message: JsonObject,
  {
    at,
    conversation,
    key,
    model,
  }: MessageFacts & { readonly key: string | null; readonly model: string | null },
): RequestEvent | undefined {
  const tokens = message["tokens"];
  if (!isObject(tokens)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: key, request: null, line: null },
    isSideChain: false,
    model,
    usage: usageOf(tokens),
    merge: "last",
  };
}

/** `input` includes the cached part and not the prompt of tools; `output` does not include the thoughts. */
function usageOf(tokens: JsonObject): LoggedUsage {
  const cached = tokensFrom(tokens["cached"]);
  const thoughts = tokensFrom(tokens["thoughts"]);
  return {
    uncached: Math.max(0, tokensFrom(tokens["input"]) - cached) + tokensFrom(tokens["tool"]),
    cacheRead: cached,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: tokensFrom(tokens["output"]) + thoughts,
    reasoning: thoughts,
  };
}
