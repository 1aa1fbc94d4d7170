import type { LogFacts, LogReader, ReaderTools } from "#imports/importer.ts";
import { isObject, type JsonObject, textAt } from "#wire/json.ts";
import { idAt, parsedText, timeFrom } from "../log-fields.ts";
import { contentEvents } from "./content-events.ts";
import { sessionEvents } from "./session-events.ts";

export class GooseReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #session: string;
  readonly #models = new Map<string, string | null>();

  constructor({ path }: LogFacts, tools: ReaderTools) {
    this.#tools = tools;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? "";
  }

  take(line: JsonObject): void {
    const table = textAt(line, "table");
    const { row } = line;
    if (table === "sessions" && isObject(row)) this.#takeSession(row);
    else if (table === "messages" && isObject(row)) this.#takeRow(row);
    else if (Array.isArray(line["content"])) {
      this.#takeContent(line["content"], this.#session, secondsFrom(line["created"]));
    } else if (line["working_dir"] !== undefined) {
      this.#takeSession({ ...line, id: this.#session });
    } else this.#tools.countUnknown();
  }

  /** Lines need nothing of those before them, and a database is read as a whole. */
  state(): unknown {
    return null;
  }

  #takeSession(row: JsonObject): void {
    const id = idAt(this.#tools, row, "id");
    if (id === null) return this.#tools.countBad();
    const { model, events } = sessionEvents(row, id, this.#tools);
    this.#models.set(id, model);
    for (const event of events) this.#tools.emit(event);
  }

  #takeRow(row: JsonObject): void {
    const content = parsedText(textAt(row, "content_json"));
    const session = idAt(this.#tools, row, "session_id");
    if (!Array.isArray(content) || session === null) return this.#tools.countBad();
    this.#takeContent(content, session, secondsFrom(row["created_timestamp"]));
  }

  #takeContent(content: readonly unknown[], session: string, at: number | null): void {
    const model = this.#models.get(session) ?? null;
    for (const part of content) {
      const event = contentEvents(part, { at, conversation: session, model }, this.#tools);
      if (event) this.#tools.emit(event);
    }
  }
}

function secondsFrom(value: unknown): number | null {
  if (typeof value !== "number") return null;
  return timeFrom(Math.abs(value) < 1e11 ? value * 1000 : value);
}
