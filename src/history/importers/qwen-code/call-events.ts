import type { ReaderTools } from "../../imports/importer.ts";
import type {
  LoggedOutcome,
  ToolEndEvent,
  ToolResultEvent,
  ToolUseEvent,
} from "../../imports/log-event.ts";
import { arrayAt, compactJson, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, durationFrom, idAt, textFacts } from "../log-fields.ts";
import type { RecordFacts } from "./record-facts.ts";

type AnswerFacts = RecordFacts & { readonly model: string | null };

const outcomes: ReadonlyMap<string, LoggedOutcome> = new Map([
  ["success", "ok"],
  ["error", "tool_error"],
  ["cancelled", "cancelled"],
]);

/** Undefined for any other part. Ids are unique within a session only. */
export function callUse(
  part: unknown,
  { at, conversation, isSideChain, key, callSession, model }: AnswerFacts,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const id = idAt(tools, part, "functionCall", "id");
  const joined = idAt(tools, part, "functionCall", "name");
  if (id === null || joined?.startsWith("mcp__") !== true) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id: `${callSession}/${id}`,
    name: { joined, form: "double" },
    method: "tools/call",
    ...argumentFacts(memberAt(part, "functionCall", "args"), tools, model),
    model,
    isSideChain,
    message: key,
  };
}

export function callResult(
  part: unknown,
  { at, conversation, callSession, model, status }: AnswerFacts & { readonly status: string },
  tools: ReaderTools,
): ToolResultEvent | undefined {
  const id = idAt(tools, part, "functionResponse", "id");
  const name = textAt(part, "functionResponse", "name");
  if (id === null || name?.startsWith("mcp__") !== true) return undefined;
  const response = memberAt(part, "functionResponse", "response");
  const shown = memberAt(response, "output") ?? memberAt(response, "error") ?? response ?? "";
  const isFailed = memberAt(response, "error") !== undefined;
  const media = arrayAt(part, "functionResponse", "parts");
  return {
    kind: "tool_result",
    at,
    conversation,
    id: `${callSession}/${id}`,
    outcome: outcomes.get(status) ?? (isFailed ? "tool_error" : "ok"),
    visible: "as_logged",
    ...textFacts([typeof shown === "string" ? shown : compactJson(shown)], model, tools),
    images: media.filter(
      (one) => textAt(one, "inlineData", "mimeType")?.startsWith("image/") === true,
    ).length,
    durationMs: null,
  };
}

/** The client's telemetry has the true name of the server and the duration. */
export function callEnd(
  event: unknown,
  { at, conversation, callSession }: RecordFacts,
  tools: ReaderTools,
): ToolEndEvent | undefined {
  const id = idAt(tools, event, "call_id");
  const server = idAt(tools, event, "mcp_server_name");
  const joined = idAt(tools, event, "function_name");
  if (id === null || server === null || joined === null) return undefined;
  const prefix = `mcp__${server.replaceAll(/[^\w-]/g, "_")}__`;
  return {
    kind: "tool_end",
    at,
    conversation,
    id: `${callSession}/${id}`,
    method: "tools/call",
    name: joined.startsWith(prefix)
      ? { server, tool: joined.slice(prefix.length) }
      : { joined, form: "double" },
    outcome: outcomes.get(textAt(event, "status") ?? "") ?? "tool_error",
    durationMs: durationFrom(memberAt(event, "duration_ms")),
    ...argumentFacts(memberAt(event, "function_args"), tools, null),
  };
}
