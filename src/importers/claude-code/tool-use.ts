import type { ReaderTools } from "#imports/importer.ts";
import type { ToolName, ToolUseEvent } from "#imports/log-event.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { argumentFacts, idAt } from "../log-fields.ts";
import type { LineFacts } from "./line-facts.ts";

const resourceTool = "ReadMcpResourceTool";

type AnswerFacts = LineFacts & { readonly model: string | null; readonly message: string | null };

export function toolUse(
  block: unknown,
  { at, conversation, isSideChain, model, message }: AnswerFacts,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const id = idAt(tools, block, "id");
  if (!isObject(block) || block["type"] !== "tool_use" || id === null) return undefined;
  const name = nameOf(block, tools);
  if (name === undefined) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name,
    method: block["name"] === resourceTool ? "resources/read" : "tools/call",
    ...argumentFacts(block["input"], tools, model),
    model,
    isSideChain,
    message,
  };
}

function nameOf(block: JsonObject, tools: ReaderTools): ToolName | undefined {
  if (block["name"] === resourceTool) {
    const server = idAt(tools, block, "input", "server");
    return server === null ? undefined : { server, tool: "resources/read" };
  }
  const joined = idAt(tools, block, "name");
  return joined?.startsWith("mcp__") === true ? { joined, form: "double" } : undefined;
}
