import type { EntryEvent } from "#imports/log-event.ts";
import { arrayAt, isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";

const ownAttachments: ReadonlySet<string> = new Set(["prompt_snapshot", "deferred_tools_record"]);

export function addsText(line: JsonObject): boolean {
  if (textAt(line, "type") === "attachment") {
    const isRendered = memberAt(line, "rendered") !== undefined;
    return isRendered || !ownAttachments.has(textAt(line, "attachment", "type") ?? "");
  }
  const content = memberAt(line, "message", "content");
  if (typeof content === "string") return content !== "";
  return arrayAt(line, "message", "content").some(
    (block) => isObject(block) && block["type"] !== "tool_result",
  );
}

/** Its tokens stand in no line. */
export function hasReasoning(line: JsonObject): boolean {
  return arrayAt(line, "message", "content").some((block) => {
    const type = textAt(block, "type");
    return type === "thinking" || type === "redacted_thinking";
  });
}

export function entryEvent(
  facts: Pick<EntryEvent, "at" | "conversation">,
  entry: EntryEvent["entry"],
  line: string | null,
): EntryEvent {
  return { kind: "entry", at: facts.at, conversation: facts.conversation, entry, line };
}
