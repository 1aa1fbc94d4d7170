import type { ReaderTools } from "../../imports/importer.ts";
import {
  type LoggedOutcome,
  type LoggedVisibility,
  type ToolResultEvent,
  type RequestEvent,
  type LoggedUsage,
  parseTokens,
} from "../../imports/log-event.ts";
import { parseRaw } from "../../imports/wanted-members.ts";
import { isObject, readString, type JsonObject, readMember } from "#wire/json.ts";
import { measureTexts, readId } from "../log-fields.ts";

type CallFacts = {
  readonly id: string;
  readonly model: string | null;
  readonly isDenied: boolean;
};

// Claude Code clears an old result by replacing it with this text.
const clearedText = "[Old tool result content cleared]";

const unknownToolPattern = /^(?:<tool_use_error>)?(?:Error: )?No such tool available/;

const tooLongPattern = /^Error: result \([^)]{1,200}\) exceeds maximum allowed tokens/;

export function parseResult(
  block: unknown,
  { id, model, isDenied }: CallFacts,
  tools: ReaderTools,
): Omit<ToolResultEvent, "at" | "conversation"> {
  const content = parseRaw(readMember(block, "content"));
  const texts = readTexts(content);
  const visible = detectVisibility(texts);
  const isKnown = visible !== "unknown";
  return {
    kind: "tool_result",
    id,
    outcome: detectOutcome(block, texts, isDenied),
    visible,
    ...(isKnown ? measureTexts(texts, tools, model) : { bytes: null, tokens: null }),
    images: asArray(content).filter((item) => readString(item, "type") === "image").length,
    durationMs: null,
  };
}

function asArray(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [];
}

function readTexts(content: unknown): readonly string[] {
  if (typeof content === "string") return [content];
  return asArray(content).flatMap((item) => {
    if (typeof item === "string") return [item];
    return readString(item, "type") === "text" ? [readString(item, "text") ?? ""] : [];
  });
}

function detectVisibility(texts: readonly string[]): LoggedVisibility {
  if (texts[0]?.startsWith(clearedText) === true) return "unknown";
  const isSpilled = texts.some(
    (text) =>
      text.startsWith("<persisted-output>") ||
      tooLongPattern.test(text) ||
      text.includes("[OUTPUT TRUNCATED"),
  );
  return isSpilled ? "spilled" : "as_logged";
}

function detectOutcome(block: unknown, texts: readonly string[], isDenied: boolean): LoggedOutcome {
  if (!isObject(block) || block["is_error"] !== true) return "ok";
  if (isDenied) return "denied";
  return unknownToolPattern.test(texts[0] ?? "") ? "unknown_tool" : "tool_error";
}

// The model name on answers that Claude Code writes itself.
const syntheticModel = "<synthetic>";

export function parseRequest(
  line: JsonObject,
  { at, conversation, isSideChain }: LineFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const usage = readMember(line, "message", "usage");
  const model = readId(tools, line, "message", "model");
  if (!isObject(usage) || line["isApiErrorMessage"] === true || model === syntheticModel) {
    return undefined;
  }
  const message = readId(tools, line, "message", "id");
  return {
    kind: "request",
    at,
    conversation,
    keys: {
      message,
      request: readId(tools, line, "requestId"),
      line: message === null ? readId(tools, line, "uuid") : null,
    },
    isSideChain,
    model,
    usage: parseUsage(usage),
    merge: "largest",
  };
}

function parseUsage(usage: JsonObject): LoggedUsage {
  const written = parseTokens(usage["cache_creation_input_tokens"]);
  const written1h = parseTokens(readMember(usage, "cache_creation", "ephemeral_1h_input_tokens"));
  const written5m = parseTokens(readMember(usage, "cache_creation", "ephemeral_5m_input_tokens"));
  return {
    uncached: parseTokens(usage["input_tokens"]),
    cacheRead: parseTokens(usage["cache_read_input_tokens"]),
    // If the split is missing or incomplete, count the remainder as written for five minutes.
    cacheWrite5m: Math.max(written5m, written - written1h),
    cacheWrite1h: written1h,
    output: parseTokens(usage["output_tokens"]),
    reasoning: parseTokens(readMember(usage, "output_tokens_details", "thinking_tokens")),
  };
}

export type LineFacts = {
  readonly at: number | null;
  readonly conversation: string;
  readonly isSideChain: boolean;
};
