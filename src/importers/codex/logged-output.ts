import type { ReaderTools } from "#imports/importer.ts";
import type { LoggedOutcome, ToolResultEvent } from "#imports/log-event.ts";
import { arrayAt, memberAt, textAt } from "#wire/json.ts";
import { textFacts } from "../log-fields.ts";
import type { CallPlace } from "./tool-use.ts";

/** A text, a list of parts, or in old versions an object with `content`. */
export function loggedOutput(
  output: unknown,
  { id, at, conversation, model }: CallPlace & { readonly id: string },
  tools: ReaderTools,
): ToolResultEvent {
  const parts = Array.isArray(output) ? output : [];
  const texts = textsOf(output, parts);
  return {
    kind: "tool_result",
    at,
    conversation,
    id,
    outcome: outcomeOf(output, texts[0] ?? ""),
    visible: "as_logged",
    ...textFacts(texts, model, tools),
    images: parts.filter((part) => textAt(part, "type") === "input_image").length,
    durationMs: null,
  };
}

function textsOf(output: unknown, parts: readonly unknown[]): readonly string[] {
  if (typeof output === "string") return [output];
  const content = textAt(output, "content");
  if (content !== undefined) return [content];
  return [...parts, ...arrayAt(output, "content")].flatMap((part) =>
    typeof part === "string" ? part : (textAt(part, "text") ?? []),
  );
}

/** Without the client's own end of a call, `ok` is a guess. */
function outcomeOf(output: unknown, text: string): LoggedOutcome {
  if (text.startsWith("aborted by user after ")) return "cancelled";
  if (text.startsWith("unsupported call: ")) return "unknown_tool";
  return memberAt(output, "success") === false ? "tool_error" : "ok";
}
