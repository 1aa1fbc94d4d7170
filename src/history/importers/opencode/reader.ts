import type { LogFacts, LogReader, ReaderTools } from "../../imports/importer.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { costFrom, idAt, parsedText, timeFrom } from "../log-fields.ts";
import { partEvents } from "./part-events.ts";
import { callIds, type CallIds } from "./call-ids.ts";
import type { ConversationEvent, RequestEvent } from "../../imports/log-event.ts";
import { loggedTokens } from "./logged-tokens.ts";

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
