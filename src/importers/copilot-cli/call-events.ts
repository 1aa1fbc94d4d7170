import type { ReaderTools } from "#imports/importer.ts";
import type { ToolResultEvent, ToolUseEvent } from "#imports/log-event.ts";
import { arrayAt, isObject, type JsonObject, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, textFacts } from "../log-fields.ts";
import type { EventFacts } from "./event-facts.ts";

type CallFacts = EventFacts & {
  readonly request: string | null;
};

export function callEvent(
  type: string,
  data: JsonObject,
  facts: CallFacts,
  tools: ReaderTools,
): ToolUseEvent | ToolResultEvent | undefined {
  const own = idAt(tools, data, "toolCallId");
  if (own === null) return undefined;
  // Some models number the calls of each session.
  const id = `${facts.conversation}/${own}`;
  if (type === "tool.execution_start") return useOf(id, data, facts, tools);
  return type === "tool.execution_complete" ? resultOf(id, data, facts, tools) : undefined;
}

function useOf(
  id: string,
  data: JsonObject,
  { at, conversation, request }: CallFacts,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const server = idAt(tools, data, "mcpServerName");
  const tool = idAt(tools, data, "mcpToolName");
  if (server === null || tool === null) return undefined;
  const model = idAt(tools, data, "model");
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { server, tool },
    method: "tools/call",
    ...argumentFacts(data["arguments"], tools, model),
    model,
    isSideChain: textAt(data, "parentToolCallId") !== undefined,
    message: request,
  };
}

/** The model reads `content`; of an answer that was written to a file, a note about the file. */
function resultOf(
  id: string,
  data: JsonObject,
  { at, conversation }: CallFacts,
  tools: ReaderTools,
): ToolResultEvent {
  const isOk = data["success"] === true;
  const text = isOk ? textAt(data, "result", "content") : textAt(data, "error", "message");
  const { toolTelemetry } = data;
  const isSpilled =
    isObject(toolTelemetry) &&
    textAt(toolTelemetry, "properties", "largeOutputWrittenToFile") === "true";
  const media = arrayAt(data, "result", "binaryResultsForLlm");
  return {
    kind: "tool_result",
    at,
    conversation,
    id,
    outcome: isOk ? "ok" : "tool_error",
    visible: isSpilled ? "spilled" : "as_logged",
    ...textFacts([text ?? ""], idAt(tools, data, "model"), tools),
    images: media.filter((one) => textAt(one, "type") === "image").length,
    durationMs: null,
  };
}
