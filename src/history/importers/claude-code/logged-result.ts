import type { ReaderTools } from "../../imports/importer.ts";
import type { LoggedOutcome, LoggedVisibility, ToolResultEvent } from "../../imports/log-event.ts";
import { arrayAt, isObject, textAt } from "#wire/json.ts";
import { textFacts } from "../log-fields.ts";

type CallFacts = {
  readonly id: string;
  readonly model: string | null;
  readonly isDenied: boolean;
};

/** Replaces an old result when Claude Code clears it. */
const cleared = "[Old tool result content cleared]";

const unknownTool = /^(?:<tool_use_error>)?(?:Error: )?No such tool available/;

const tooLong = /^Error: result \([^)]{1,200}\) exceeds maximum allowed tokens/;

export function loggedResult(
  block: unknown,
  { id, model, isDenied }: CallFacts,
  tools: ReaderTools,
): Omit<ToolResultEvent, "at" | "conversation"> {
  const texts = textsOf(block);
  const visible = visibilityOf(texts);
  const isKnown = visible !== "unknown";
  return {
    kind: "tool_result",
    id,
    outcome: outcomeOf(block, texts, isDenied),
    visible,
    ...(isKnown ? textFacts(texts, model, tools) : { bytes: null, tokens: null }),
    images: arrayAt(block, "content").filter((part) => textAt(part, "type") === "image").length,
    durationMs: null,
  };
}

function textsOf(block: unknown): readonly string[] {
  const content = textAt(block, "content");
  if (content !== undefined) return [content];
  return arrayAt(block, "content").flatMap((part) => {
    if (typeof part === "string") return [part];
    return textAt(part, "type") === "text" ? [textAt(part, "text") ?? ""] : [];
  });
}

function visibilityOf(texts: readonly string[]): LoggedVisibility {
  if (texts[0]?.startsWith(cleared) === true) return "unknown";
  const isSpilled = texts.some(
    (text) =>
      text.startsWith("<persisted-output>") ||
      tooLong.test(text) ||
      text.includes("[OUTPUT TRUNCATED"),
  );
  return isSpilled ? "spilled" : "as_logged";
}

function outcomeOf(block: unknown, texts: readonly string[], isDenied: boolean): LoggedOutcome {
  if (!isObject(block) || block["is_error"] !== true) return "ok";
  if (isDenied) return "denied";
  return unknownTool.test(texts[0] ?? "") ? "unknown_tool" : "tool_error";
}
