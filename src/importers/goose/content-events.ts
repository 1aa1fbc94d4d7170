import type { ReaderTools } from "#imports/importer.ts";
import type { ToolResultEvent, ToolUseEvent } from "#imports/log-event.ts";
import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import { argumentFacts, idAt, textFacts } from "../log-fields.ts";

type PartFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
};

export function contentEvents(
  part: unknown,
  facts: PartFacts,
  tools: ReaderTools,
): ToolUseEvent | ToolResultEvent | undefined {
  const own = idAt(tools, part, "id");
  if (own === null) return undefined;
  // Some models number the calls of each session.
  const id = `${facts.conversation}/${own}`;
  const type = textAt(part, "type");
  if (type === "toolRequest") return useOf(id, part, facts, tools);
  return type === "toolResponse" ? resultOf(id, part, facts, tools) : undefined;
}

function useOf(
  id: string,
  part: unknown,
  { at, conversation, model }: PartFacts,
  tools: ReaderTools,
): ToolUseEvent | undefined {
  const joined = idAt(tools, part, "toolCall", "value", "name");
  const extension = joined?.split("__")[0];
  if (joined?.includes("__") !== true || ownExtensions.has(extension ?? "")) return undefined;
  return {
    kind: "tool_use",
    at,
    conversation,
    id,
    name: { joined, form: "extension" },
    method: "tools/call",
    ...argumentFacts(memberAt(part, "toolCall", "value", "arguments"), tools, model),
    model,
    isSideChain: false,
    message: null,
  };
}

function resultOf(
  id: string,
  part: unknown,
  { at, conversation, model }: PartFacts,
  tools: ReaderTools,
): ToolResultEvent {
  const value = memberAt(part, "toolResult", "value");
  const isFailed =
    textAt(part, "toolResult", "status") === "error" || memberAt(value, "isError") === true;
  const blocks = (Array.isArray(value) ? value : arrayAt(value, "content")).filter(isForModel);
  const failure = textAt(part, "toolResult", "error");
  const texts = blocks.flatMap((block) =>
    typeof block === "string" ? block : (textAt(block, "text") ?? []),
  );
  return {
    kind: "tool_result",
    at,
    conversation,
    id,
    outcome: isFailed ? "tool_error" : "ok",
    visible: "as_logged",
    ...textFacts(failure === undefined ? texts : [failure], model, tools),
    images: blocks.filter((block) => textAt(block, "type") === "image").length,
    durationMs: null,
  };
}

/** Blocks for the user alone are not shown to the model. */
function isForModel(block: unknown): boolean {
  const audience = memberAt(block, "annotations", "audience");
  return !Array.isArray(audience) || audience.includes("assistant");
}

/** Part of Goose: not servers of the user. */
const ownExtensions: ReadonlySet<string> = new Set([
  "analyze",
  "apps",
  "autovisualiser",
  "chatrecall",
  "code_execution",
  "computercontroller",
  "developer",
  "dynamic_task",
  "extensionmanager",
  "memory",
  "platform",
  "skills",
  "subagent",
  "summon",
  "todo",
  "tutorial",
]);
