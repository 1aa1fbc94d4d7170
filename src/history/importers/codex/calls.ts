import type { ReaderTools } from "../../imports/importer.ts";
import type {
  LoggedOutcome,
  ToolEndEvent,
  ToolName,
  ToolUseEvent,
} from "../../imports/log-event.ts";
import { tokensFrom } from "../../imports/logged-usage.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, durationFrom, idAt, parsedText } from "../log-fields.ts";

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

export type CallPlace = {
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
};

const resourceTool = "read_mcp_resource";

export function toolUse(
  item: JsonObject,
  { at, conversation, model }: CallPlace,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const id = idAt(tools, item, "call_id");
  const isResource = item["name"] === resourceTool;
  const name = isResource ? resourceName(item, tools) : toolName(item, tools);
  if (id === null || name === undefined) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name,
    method: isResource ? "resources/read" : "tools/call",
    ...argumentFacts(item["arguments"], tools, model),
    model,
    isSideChain: false,
    message: null,
  };
}

function resourceName(item: JsonObject, tools: ReaderTools): ToolName | undefined {
  const server = idAt(tools, parsedText(textAt(item, "arguments")), "server");
  return server === null ? undefined : { server, tool: "resources/read" };
}

/** Namespaces are `mcp__server`, in some versions with another `__` at the end. */
function toolName(item: JsonObject, tools: ReaderTools): ToolName | undefined {
  const name = idAt(tools, item, "name");
  if (name === null) return undefined;
  const namespace = idAt(tools, item, "namespace");
  const joined = namespace === null ? name : `${namespace.replace(/__$/, "")}__${name}`;
  return joined.startsWith("mcp__") ? { joined, form: "double" } : undefined;
}
