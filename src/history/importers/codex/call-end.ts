import type { ReaderTools } from "../../imports/importer.ts";
import type { LoggedOutcome, ToolEndEvent, ToolName } from "../../imports/log-event.ts";
import { tokensFrom } from "../../imports/logged-usage.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, durationFrom, idAt } from "../log-fields.ts";
import { type CallPlace, resourceTool } from "./tool-use.ts";

const listTools: ReadonlySet<string> = new Set([
  "list_mcp_resources",
  "list_mcp_resource_templates",
]);

export function callEnd(
  payload: JsonObject,
  { at, conversation, model }: CallPlace,
  tools: ReaderTools,
): ToolEndEvent | undefined {
  const end = payload["type"] === "mcp_tool_call_end" ? olderEnd(payload) : newerEnd(payload);
  if (!end) return undefined;
  const id = idAt(tools, payload, "call_id") ?? idAt(tools, payload, "item", "id");
  const name = nameOf(end.call, tools);
  if (id === null || name === undefined) return undefined;
  return {
    kind: "tool_end",
    at,
    conversation,
    id,
    name,
    method: end.call["tool"] === resourceTool ? "resources/read" : "tools/call",
    outcome: end.outcome,
    durationMs: durationOf(end.duration),
    ...argumentFacts(end.call["arguments"], tools, model),
  };
}

type CallEnd = {
  readonly call: JsonObject;
  readonly outcome: LoggedOutcome;
  readonly duration: unknown;
};

function olderEnd(payload: JsonObject): CallEnd | undefined {
  const { invocation, result, duration } = payload;
  if (!isObject(invocation)) return undefined;
  const isFault = memberAt(result, "Ok") === undefined;
  const answer = memberAt(result, "Ok");
  return { call: invocation, outcome: isFault ? "rpc_error" : outcomeOf(answer), duration };
}

function newerEnd(payload: JsonObject): CallEnd | undefined {
  const { type, item } = payload;
  if (type !== "item_completed" || !isObject(item) || item["type"] !== "McpToolCall") {
    return undefined;
  }
  const { result, duration } = item;
  if (isObject(result)) {
    const isFailed = item["status"] === "failed";
    return { call: item, outcome: isFailed ? "tool_error" : outcomeOf(result), duration };
  }
  return { call: item, outcome: "rpc_error", duration };
}

function outcomeOf(answer: unknown): LoggedOutcome {
  const isError = memberAt(answer, "isError") === true || memberAt(answer, "is_error") === true;
  return isError ? "tool_error" : "ok";
}

function nameOf(call: JsonObject, tools: ReaderTools): ToolName | undefined {
  const server = idAt(tools, call, "server");
  const tool = textAt(call, "tool") === resourceTool ? "resources/read" : idAt(tools, call, "tool");
  if (server === null || tool === null || listTools.has(tool)) return undefined;
  return { server, tool };
}

function durationOf(duration: unknown): number | null {
  if (!isObject(duration)) return null;
  return durationFrom(tokensFrom(duration["secs"]) * 1000 + tokensFrom(duration["nanos"]) / 1e6);
}
