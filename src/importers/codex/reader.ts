import { openCallsKeptMax } from "#limits/import.ts";
import type { LogFacts, LogReader, ReaderTools } from "#imports/importer.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { idAt, timeFrom } from "../log-fields.ts";
import { callEnd } from "./call-end.ts";
import { loggedOutput } from "./logged-output.ts";
import { threadFacts } from "./thread-facts.ts";
import { type CallPlace, toolUse } from "./tool-use.ts";
import { usageFrom } from "./usage.ts";

const knownTypes: ReadonlySet<string> = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "compacted",
  "token_usage_record",
  "world_state",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
]);

/** Within this time after its start a thread copies the lines of its parent. */
const copyingMs = 1000;

export class CodexReader implements LogReader {
  readonly #tools: ReaderTools;
  #thread: string;
  #isDescribed = false;
  #startMs: number | null = null;
  #model: string | null = null;
  #turn: string | null = null;
  #at: number | null = null;
  readonly #calls = new Set<string>();

  constructor({ path }: LogFacts, tools: ReaderTools, state?: unknown) {
    this.#tools = tools;
    this.#thread = textAt(state, "thread") ?? /([\da-f-]{36})\.jsonl/.exec(path)?.[1] ?? path;
    this.#isDescribed = memberAt(state, "isDescribed") === true;
    this.#startMs = timeFrom(memberAt(state, "startMs"));
    this.#model = textAt(state, "model") ?? null;
    this.#turn = textAt(state, "turn") ?? null;
    this.#at = timeFrom(memberAt(state, "at"));
    for (const id of arrayAt(state, "calls")) this.#calls.add(String(id));
  }

  take(line: JsonObject): void {
    const { payload } = line;
    this.#at = timeFrom(line["timestamp"]) ?? this.#at;
    if (!isObject(payload)) {
      this.#takeBare(line);
      return;
    }
    const type = textAt(line, "type") ?? "";
    if (!knownTypes.has(type)) this.#tools.countUnknown();
    if (type === "session_meta") this.#takeStart(payload);
    else if (type === "turn_context") this.#takeTurn(payload);
    else if (type === "response_item") this.#takeItem(payload);
    else if (type === "event_msg") this.#takeMessage(payload);
    else if (type === "token_usage_record") this.#takeUsage(payload);
    else if (type === "compacted") this.#takeBoundary("compaction");
  }

  state(): unknown {
    return {
      thread: this.#thread,
      isDescribed: this.#isDescribed,
      startMs: this.#startMs,
      model: this.#model,
      turn: this.#turn,
      at: this.#at,
      calls: [...this.#calls].slice(-openCallsKeptMax),
    };
  }

  /** The oldest versions have no envelope. */
  #takeBare(line: JsonObject): void {
    if (typeof line["type"] === "string") this.#takeItem(line);
    else if (typeof line["id"] === "string") this.#takeStart(line);
    else if (line["record_type"] === undefined) this.#tools.countUnknown();
  }

  /** The first one is of this thread; a copy of the parent's lines begins with the parent's. */
  #takeStart(payload: JsonObject): void {
    if (this.#isDescribed) return;
    this.#isDescribed = true;
    const facts = threadFacts(payload, this.#thread, this.#tools);
    this.#thread = facts.conversation;
    this.#startMs = timeFrom(payload["timestamp"]) ?? this.#at;
    this.#tools.emit({ kind: "conversation", at: this.#startMs, ...facts });
  }

  #takeTurn(payload: JsonObject): void {
    this.#model = idAt(this.#tools, payload, "model");
    this.#turn = idAt(this.#tools, payload, "turn_id") ?? this.#turn;
  }

  #takeItem(item: JsonObject): void {
    const type = textAt(item, "type") ?? "";
    if (type === "function_call") {
      const use = toolUse(item, this.#place(), this.#tools);
      if (!use) return;
      this.#calls.add(use.id);
      this.#tools.emit(use);
    } else if (type === "function_call_output") {
      const id = idAt(this.#tools, item, "call_id");
      if (id === null || !this.#calls.delete(id)) return;
      this.#tools.emit(loggedOutput(item["output"], { id, ...this.#place() }, this.#tools));
    }
  }

  #takeMessage(payload: JsonObject): void {
    const type = textAt(payload, "type");
    if (type === "token_count") this.#takeCounter(payload["info"]);
    else if (type === "thread_rolled_back") this.#takeBoundary("rewind");
    else {
      const end = callEnd(payload, this.#place(), this.#tools);
      if (end) this.#tools.emit(end);
    }
  }

  #takeCounter(info: unknown): void {
    const total = usageFrom(memberAt(info, "total_token_usage"));
    const last = usageFrom(memberAt(info, "last_token_usage")) ?? null;
    if (!total) return;
    const isEarly = this.#at !== null && this.#at <= (this.#startMs ?? -Infinity) + copyingMs;
    this.#tools.emit({ ...this.#place(), kind: "counter", total, last, isEarly, turn: this.#turn });
  }

  /** A copy of the parent's request has the parent's id. */
  #takeUsage(payload: JsonObject): void {
    const usage = usageFrom(payload["usage"]);
    if (!usage) return;
    const message = idAt(this.#tools, payload, "response_id");
    this.#tools.emit({
      ...this.#place(),
      kind: "request",
      conversation: idAt(this.#tools, payload, "thread_id") ?? this.#thread,
      keys: { message, request: null, line: null },
      isSideChain: false,
      usage,
      merge: "largest",
    });
  }

  #takeBoundary(why: "compaction" | "rewind"): void {
    const { at, conversation } = this.#place();
    this.#tools.emit({ kind: "boundary", at, conversation, why, line: null });
  }

  #place(): CallPlace {
    return { at: this.#at, conversation: this.#thread, model: this.#model };
  }
}
