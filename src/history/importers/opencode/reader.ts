import type { LogFacts, LogReader, ReaderTools } from "../../imports/importer.ts";
import { isObject, type JsonObject, memberAt, textAt, arrayAt } from "#wire/json.ts";
import { costFrom, idAt, parsedText, timeFrom, argumentFacts, textFacts } from "../log-fields.ts";
import type {
  ConversationEvent,
  RequestEvent,
  LogEvent,
  LoggedOutcome,
  ToolResultEvent,
} from "../../imports/log-event.ts";
import { isNoUsage, type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";

export class OpenCodeReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #document:
    { readonly table: string; readonly owner: string; readonly id: string } | undefined;
  readonly #models = new Map<string, string | null>();
  readonly #calls: CallIds = callIds();

  constructor({ path }: LogFacts, tools: ReaderTools) {
    this.#tools = tools;
    const found = /(?:^|\/)(session|message|part)\/([^/]+)\/([^/]+)\.json$/.exec(path);
    const [, table, owner, id] = found ?? [];
    if (table !== undefined && owner !== undefined && id !== undefined) {
      this.#document = { table, owner, id };
    }
  }

  take(line: JsonObject): void {
    if (this.#document) return this.#takeDocument(line, this.#document);
    const row = isObject(line["row"]) ? line["row"] : {};
    const table = textAt(line, "table");
    if (table === "session") return this.#tools.emit(sessionEvent(row, this.#tools));
    const data = parsedText(textAt(row, "data"));
    if (!isObject(data)) return this.#tools.countBad();
    const session = idAt(this.#tools, row, "session_id") ?? "";
    const id = idAt(this.#tools, row, "id") ?? "";
    if (table === "message") this.#takeMessage(data, { id, session });
    else if (table === "part") {
      this.#takePart(data, { id, session, message: idAt(this.#tools, row, "message_id") ?? "" });
    }
  }

  /** A database is read as a whole. */
  state(): unknown {
    return null;
  }

  /** A file has the columns as members, and its message or session in the name of its folder. */
  #takeDocument(
    line: JsonObject,
    { table, owner, id }: { readonly table: string; readonly owner: string; readonly id: string },
  ): void {
    const own = idAt(this.#tools, line, "id") ?? id;
    const session = idAt(this.#tools, line, "sessionID");
    if (table === "session") {
      const columns = {
        id: own,
        parent_id: line["parentID"],
        version: line["version"],
        directory: line["directory"],
      };
      this.#tools.emit(sessionEvent(columns, this.#tools));
    } else if (table === "message") this.#takeMessage(line, { id: own, session: session ?? owner });
    else {
      const message = idAt(this.#tools, line, "messageID") ?? owner;
      this.#takePart(line, { id: own, session: session ?? "", message });
    }
  }

  #takeMessage(data: JsonObject, ids: { readonly id: string; readonly session: string }): void {
    if (textAt(data, "role") !== "assistant") return;
    const event = messageEvent(data, ids, this.#tools);
    this.#models.set(ids.id, idAt(this.#tools, data, "modelID"));
    if (event) this.#tools.emit(event);
  }

  #takePart(
    data: JsonObject,
    ids: { readonly id: string; readonly session: string; readonly message: string },
  ): void {
    const model = this.#models.get(ids.message) ?? null;
    for (const event of partEvents(data, { ...ids, model, callId: this.#calls }, this.#tools)) {
      this.#tools.emit(event);
    }
  }
}

/** A session with a parent is a sub-agent's; a fork has none. */
function sessionEvent(row: JsonObject, tools: ReaderTools): ConversationEvent {
  const id = idAt(tools, row, "id") ?? "";
  const parent = idAt(tools, row, "parent_id");
  const folder = textAt(row, "directory");
  return {
    kind: "conversation",
    at: null,
    conversation: id,
    session: id,
    role: parent === null ? null : "subagent",
    parent,
    clientVersion: idAt(tools, row, "version"),
    project: folder === undefined ? null : tools.projectHash(folder),
  };
}

/** Its tokens are those of its last step: they count only if no step was logged. A fork copies a message under another id, with the same times and tokens. */
function messageEvent(
  data: JsonObject,
  { id, session }: { readonly id: string; readonly session: string },
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = loggedTokens(data["tokens"]);
  if (!logged) return undefined;
  const created = timeFrom(memberAt(data, "time", "created"));
  const completed = timeFrom(memberAt(data, "time", "completed"));
  const isCopyable = created !== null && completed !== null;
  const nativeCost = costFrom(data["cost"]);
  return {
    kind: "request",
    at: created,
    conversation: session,
    keys: {
      message: id,
      request: null,
      line: null,
      ...(isCopyable && {
        copy: [created, completed, ...Object.values(logged.usage)].join(" "),
      }),
    },
    isSideChain: false,
    model: idAt(tools, data, "modelID"),
    usage: logged.usage,
    merge: "fallback",
    ...(nativeCost === undefined ? {} : { nativeCost }),
  };
}

type PartFacts = {
  readonly id: string;
  readonly session: string;
  readonly message: string;
  readonly model: string | null;
  readonly callId: CallIds;
};

const otherParts = new Set([
  "text",
  "reasoning",
  "file",
  "step-start",
  "snapshot",
  "patch",
  "agent",
  "retry",
  "subtask",
]);

export function partEvents(
  data: JsonObject,
  facts: PartFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const type = textAt(data, "type") ?? "";
  if (type === "tool") return toolEvents(data, facts, tools);
  if (type === "step-finish") return stepEvents(data, facts);
  if (type === "compaction") {
    const { id: line, session: conversation } = facts;
    return [{ kind: "boundary", at: null, conversation, why: "compaction", line }];
  }
  if (!otherParts.has(type)) tools.countUnknown();
  return [];
}

/** Time and model come from the message. */
function stepEvents(data: JsonObject, facts: PartFacts): readonly LogEvent[] {
  const logged = loggedTokens(data["tokens"]);
  if (!logged) return [];
  const nativeCost = costFrom(data["cost"]);
  const request: RequestEvent = {
    kind: "request",
    at: null,
    conversation: facts.session,
    keys: { message: facts.message, request: facts.id, line: null },
    isSideChain: false,
    model: facts.model,
    usage: logged.usage,
    merge: "first",
    ...(nativeCost === undefined ? {} : { nativeCost }),
  };
  return logged.isApproximate ? [request, approximate(facts.session)] : [request];
}

function approximate(conversation: string): LogEvent {
  return {
    kind: "conversation",
    at: null,
    conversation,
    session: conversation,
    role: null,
    parent: null,
    clientVersion: null,
    project: null,
    isApproximate: true,
  };
}

function toolEvents(
  data: JsonObject,
  { session: conversation, message, model, callId }: PartFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const own = idAt(tools, data, "callID");
  const joined = idAt(tools, data, "tool");
  const { state } = data;
  if (own === null || joined === null || !isObject(state)) return [];
  const at = timeFrom(memberAt(state, "time", "start"));
  const id = callId(own, at);
  const use: LogEvent = {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { joined, form: "bare" },
    method: "tools/call",
    ...argumentFacts(state["input"], tools, model),
    model,
    isSideChain: false,
    message,
  };
  const result = resultOf(state, { at, conversation, id, model }, tools);
  return result ? [use, result] : [use];
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["completed", "ok"],
  ["error", "tool_error"],
]);

/** The time between start and end includes the user's permission. */
function resultOf(
  state: JsonObject,
  {
    model,
    ...facts
  }: Pick<ToolResultEvent, "at" | "conversation" | "id"> & { readonly model: string | null },
  tools: ReaderTools,
): ToolResultEvent | undefined {
  const outcome = outcomes.get(textAt(state, "status") ?? "");
  if (outcome === undefined) return undefined;
  const text = textAt(state, outcome === "ok" ? "output" : "error") ?? "";
  const attachments = arrayAt(state, "attachments");
  return {
    kind: "tool_result",
    ...facts,
    at: timeFrom(memberAt(state, "time", "end")) ?? facts.at,
    outcome,
    visible: "as_logged",
    ...textFacts([text], model, tools),
    images: attachments.filter((one) => textAt(one, "mime")?.startsWith("image/") === true).length,
    durationMs: null,
  };
}

type CallIds = (own: string, startedAt: number | null) => string;

/** A fork keeps the ids of calls, so equal ids are one call; some models number the calls of each session, so one that began at another time is another. */
export function callIds(): CallIds {
  const starts = new Map<string, number | null>();
  return (own, startedAt) => {
    const first = starts.get(own);
    if (first === undefined) starts.set(own, startedAt);
    return first === undefined || first === startedAt ? own : `${own}@${startedAt ?? ""}`;
  };
}

type LoggedTokens = {
  readonly usage: LoggedUsage;
  readonly isApproximate: boolean;
};

/** Undefined without tokens, as after an abort. Older versions count reasoning in `output`, newer ones next to it: `total` shows which. */
function loggedTokens(tokens: unknown): LoggedTokens | undefined {
  if (!isObject(tokens)) return undefined;
  const input = tokensFrom(tokens["input"]);
  const output = tokensFrom(tokens["output"]);
  const reasoning = tokensFrom(tokens["reasoning"]);
  const cacheRead = tokensFrom(memberAt(tokens, "cache", "read"));
  const cacheWrite5m = tokensFrom(memberAt(tokens, "cache", "write"));
  const { total } = tokens;
  const isIncluded = total === input + output + cacheRead + cacheWrite5m;
  const usage: LoggedUsage = {
    uncached: input,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: isIncluded ? output : output + reasoning,
    reasoning,
  };
  if (isNoUsage(usage)) return undefined;
  return { usage, isApproximate: reasoning > 0 && typeof total !== "number" };
}
