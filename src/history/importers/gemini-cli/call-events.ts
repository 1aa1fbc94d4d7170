import type { ReaderTools } from "../../imports/importer.ts";
import type {
  LoggedOutcome,
  ToolName,
  ToolResultEvent,
  ToolUseEvent,
} from "../../imports/log-event.ts";
import { compactJson, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, textFacts, timeFrom } from "../log-fields.ts";
import type { MessageFacts } from "./message-facts.ts";

type AskingFacts = MessageFacts & {
  readonly message: string | null;
  readonly model: string | null;
};

export function callEvents(
  call: unknown,
  facts: AskingFacts,
  tools: ReaderTools,
): readonly (ToolUseEvent | ToolResultEvent)[] {
  const own = idAt(tools, call, "id");
  if (!isObject(call) || own === null) return [];
  const name = nameOf(call, tools);
  if (name === undefined) return [];
  const { conversation, message, model } = facts;
  const at = timeFrom(call["timestamp"]) ?? facts.at;
  const id = `${conversation}/${own}`;
  const use: ToolUseEvent = {
    kind: "tool_use",
    at,
    conversation,
    id,
    name,
    method: "tools/call",
    ...argumentFacts(call["args"], tools, model),
    model,
    isSideChain: false,
    message,
  };
  const outcome = outcomes.get(textAt(call, "status") ?? "");
  const { result } = call;
  if (!hasParts(result) && outcome === undefined) return [use];
  return [use, resultOf(result, { at, conversation, id, outcome, model }, tools)];
}

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["success", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
]);

/** `displayName` is `search (docs MCP Server)`, also if the name is shortened. */
function nameOf(call: JsonObject, tools: ReaderTools): ToolName | undefined {
  const shown = /^(.+) \((.+) MCP Server\)$/su.exec(idAt(tools, call, "displayName") ?? "");
  if (shown?.[1] !== undefined && shown[2] !== undefined) {
    return { server: shown[2], tool: shown[1] };
  }
  const joined = idAt(tools, call, "name") ?? "";
  if (joined.startsWith("mcp_")) return { joined, form: "single" };
  // Before 2026 only tools whose name two servers had were joined; no tool of the client has two underscores.
  return joined.includes("__") ? { joined, form: "extension" } : undefined;
}

type AnswerFacts = Pick<ToolResultEvent, "at" | "conversation" | "id"> & {
  readonly outcome: LoggedOutcome | undefined;
  readonly model: string | null;
};

function resultOf(
  result: unknown,
  { outcome = "ok", model, ...facts }: AnswerFacts,
  tools: ReaderTools,
): ToolResultEvent {
  const shared = { kind: "tool_result", ...facts, outcome, durationMs: null } as const;
  if (!hasParts(result)) {
    return { ...shared, visible: "none", bytes: null, tokens: null, images: 0 };
  }
  const parts: readonly unknown[] = Array.isArray(result) ? result : [result];
  const size = textFacts(parts.flatMap(textsOf), model, tools);
  const images = parts.filter((part) => isImage(memberAt(part, "inlineData"))).length;
  return { ...shared, visible: "as_logged", ...size, images };
}

/** A part, a text, or a list of both, as the client's library accepts them. */
function hasParts(result: unknown): boolean {
  return typeof result === "string" || (typeof result === "object" && result !== null);
}

/** Output or error, the whole answer if it has neither, or plain text. A part of an unknown form counts as its JSON. */
function textsOf(part: unknown): readonly string[] {
  const text = typeof part === "string" ? part : textAt(part, "text");
  if (text !== undefined) return [text];
  if (memberAt(part, "inlineData") !== undefined) return [];
  const response = memberAt(part, "functionResponse", "response");
  if (response === undefined) return isObject(part) ? [compactJson(part)] : [];
  const shown = memberAt(response, "output") ?? memberAt(response, "error") ?? response;
  return [typeof shown === "string" ? shown : compactJson(shown)];
}

function isImage(data: unknown): boolean {
  return textAt(data, "mimeType")?.startsWith("image/") === true;
}
