import type { LogFacts, LogReader, ReaderTools } from "../../imports/importer.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { idAt, timeFrom } from "../log-fields.ts";
import { callEnd, callResult, callUse } from "./call-events.ts";
import type { RecordFacts } from "./record-facts.ts";
import type { RequestEvent } from "../../imports/log-event.ts";
import { isNoUsage, type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";

const knownTypes = new Set(["user", "assistant", "tool_result", "system"]);

/** Abandoned branches of the tree were paid for too. */
export class QwenReader implements LogReader {
  readonly #tools: ReaderTools;
  readonly #session: string;
  readonly #described = new Set<string>();
  #model: string | null;

  constructor({ path }: LogFacts, tools: ReaderTools, state?: unknown) {
    this.#tools = tools;
    this.#session = /([^/]+)\.jsonl$/.exec(path)?.[1] ?? path;
    this.#model = idAt(tools, state, "model");
    for (const id of arrayAt(state, "described")) this.#described.add(String(id));
  }

  take(record: JsonObject): void {
    const type = textAt(record, "type") ?? "";
    if (!knownTypes.has(type)) return this.#tools.countUnknown();
    const facts = this.#describe(record);
    if (type === "assistant") this.#takeAnswer(record, facts);
    else if (type === "tool_result") this.#takeResults(record, facts);
    else if (type === "system") this.#takeSystem(record, facts);
  }

  state(): unknown {
    return { described: [...this.#described], model: this.#model };
  }

  #takeAnswer(record: JsonObject, facts: RecordFacts): void {
    this.#model = idAt(this.#tools, record, "model") ?? this.#model;
    const request = requestEvent(record, facts, this.#tools);
    if (request) this.#tools.emit(request);
    for (const part of arrayAt(record, "message", "parts")) {
      const use = callUse(part, { ...facts, model: this.#model }, this.#tools);
      if (use) this.#tools.emit(use);
    }
  }

  #takeResults(record: JsonObject, facts: RecordFacts): void {
    const status = textAt(record, "toolCallResult", "status") ?? "";
    for (const part of arrayAt(record, "message", "parts")) {
      const result = callResult(part, { ...facts, model: this.#model, status }, this.#tools);
      if (result) this.#tools.emit(result);
    }
  }

  #takeSystem(record: JsonObject, facts: RecordFacts): void {
    const { at, conversation, key } = facts;
    const subtype = textAt(record, "subtype");
    if (subtype === "chat_compression" || subtype === "rewind") {
      const why = subtype === "rewind" ? "rewind" : "compaction";
      this.#tools.emit({ kind: "boundary", at, conversation, why, line: key });
    } else if (subtype === "ui_telemetry") {
      const end = callEnd(memberAt(record, "systemPayload", "uiEvent"), facts, this.#tools);
      if (end) this.#tools.emit(end);
    }
  }

  /** A fork copies records and names the originals; a sub-agent's records have its id. */
  #describe(record: JsonObject): RecordFacts {
    const tools = this.#tools;
    const session = idAt(tools, record, "sessionId") ?? this.#session;
    const isSideChain = record["isSidechain"] === true;
    const agent = isSideChain ? idAt(tools, record, "agentId") : null;
    const origin = idAt(tools, record, "forkedFrom", "sessionId");
    const conversation = agent ?? session;
    const at = timeFrom(record["timestamp"]);
    const facts = {
      at,
      conversation,
      isSideChain,
      key: idAt(tools, record, "forkedFrom", "messageUuid") ?? idAt(tools, record, "uuid"),
      callSession: origin ?? session,
    };
    if (this.#described.has(conversation)) return facts;
    this.#described.add(conversation);
    const folder = textAt(record, "cwd");
    tools.emit({
      kind: "conversation",
      at,
      conversation,
      session,
      role: agent === null ? (origin === null ? null : "fork") : "subagent",
      parent: agent === null ? origin : session,
      clientVersion: idAt(tools, record, "version"),
      project: folder === undefined ? null : tools.projectHash(folder),
    });
    return facts;
  }
}

function requestEvent(
  record: JsonObject,
  { at, conversation, isSideChain, key }: RecordFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = record["usageMetadata"];
  if (!isObject(logged)) return undefined;
  const usage = usageOf(logged);
  if (isNoUsage(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: key, request: null, line: null },
    isSideChain,
    model: idAt(tools, record, "model"),
    usage,
    merge: "first",
  };
}

/** The prompt includes its cached part. Providers count thoughts inside or next to the candidates: the total minus the prompt is the output of either. */
function usageOf(logged: JsonObject): LoggedUsage {
  const prompt = tokensFrom(logged["promptTokenCount"]);
  const cacheRead = Math.min(prompt, tokensFrom(logged["cachedContentTokenCount"]));
  const candidates = tokensFrom(logged["candidatesTokenCount"]);
  const reasoning = tokensFrom(logged["thoughtsTokenCount"]);
  const total = tokensFrom(logged["totalTokenCount"]);
  const withoutTotal = candidates > reasoning ? candidates : candidates + reasoning;
  return {
    uncached: prompt - cacheRead,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: total > prompt ? total - prompt : withoutTotal,
    reasoning,
  };
}
