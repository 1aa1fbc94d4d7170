import type { ReaderTools } from "../../imports/importer.ts";
import type { ToolName, ToolUseEvent } from "../../imports/log-event.ts";
import { type JsonObject, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, parsedText } from "../log-fields.ts";

export type CallPlace = {
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
};

export const resourceTool = "read_mcp_resource";

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
