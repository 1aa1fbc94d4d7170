import type { LogFacts, LogReader, ReaderTools } from "#imports/importer.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { idAt, timeFrom } from "../log-fields.ts";
import { blockEvents } from "./block-events.ts";
import { ledgerEvent, usageEvent } from "./usage-events.ts";

export class AmpReader implements LogReader {
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
