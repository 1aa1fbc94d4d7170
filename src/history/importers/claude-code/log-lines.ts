import type { ReaderTools } from "../../imports/importer.ts";
import {
  type LoggedOutcome,
  type LoggedVisibility,
  type ToolResultEvent,
  type RequestEvent,
  type LoggedUsage,
  tokensFrom,
} from "../../imports/log-event.ts";
import { arrayAt, isObject, textAt, type JsonObject, memberAt } from "#wire/json.ts";
import { textFacts, idAt } from "../log-fields.ts";

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

/** Claude Code writes such answers itself. */
const ownAnswers = "<synthetic>";

export function requestEvent(
  line: JsonObject,
  { at, conversation, isSideChain }: LineFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const usage = memberAt(line, "message", "usage");
  const model = idAt(tools, line, "message", "model");
  if (!isObject(usage) || line["isApiErrorMessage"] === true || model === ownAnswers) {
    return undefined;
  }
  const message = idAt(tools, line, "message", "id");
  return {
    kind: "request",
    at,
    conversation,
    keys: {
      message,
      request: idAt(tools, line, "requestId"),
      // Only a line without a message is found by its own id.
      line: message === null ? idAt(tools, line, "uuid") : null,
    },
    isSideChain,
    model,
    usage: usageOf(usage),
    merge: "largest",
  };
}

function usageOf(usage: JsonObject): LoggedUsage {
  const written = tokensFrom(usage["cache_creation_input_tokens"]);
  const hours = tokensFrom(memberAt(usage, "cache_creation", "ephemeral_1h_input_tokens"));
  const minutes = tokensFrom(memberAt(usage, "cache_creation", "ephemeral_5m_input_tokens"));
  return {
    uncached: tokensFrom(usage["input_tokens"]),
    cacheRead: tokensFrom(usage["cache_read_input_tokens"]),
    // A log without the two parts, or with less than their sum, has written the rest for five minutes.
    cacheWrite5m: Math.max(minutes, written - hours),
    cacheWrite1h: hours,
    output: tokensFrom(usage["output_tokens"]),
    reasoning: tokensFrom(memberAt(usage, "output_tokens_details", "thinking_tokens")),
  };
}

export type LineFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
};
