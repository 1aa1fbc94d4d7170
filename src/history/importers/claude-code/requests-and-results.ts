import type { LogText, ReaderUtils } from "../../imports/importer.ts";
import {
  type LoggedOutcome,
  type LoggedVisibility,
  type ToolResultEvent,
  type RequestEvent,
  type LoggedUsage,
  parseTokens,
} from "../../imports/log-event.ts";
import { isObject, readString, type JsonObject, readMember } from "#wire/json.ts";
import { measureTexts, readBeginning, readId, readLogText } from "../log-fields.ts";

type ResultFacts = {
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
  { id, model, isDenied }: ResultFacts,
  utils: ReaderUtils,
): Omit<ToolResultEvent, "at" | "conversation"> {
  const content = readMember(block, "content");
  // The text of an error is always needed, because it shows the outcome.
  const needsTexts = utils.measuresTexts || readMember(block, "is_error") === true;
  const texts = needsTexts ? measureContent(content, utils, model) : notMeasured;
  const visible = detectVisibility(texts);
  const { bytes, tokens, beginnings } = texts;
  return {
    kind: "tool_result",
    id,
    outcome: detectOutcome(block, beginnings[0] ?? "", isDenied),
    visible,
    ...(visible === "unknown" ? { bytes: null, tokens: null } : { bytes, tokens }),
    images: (Array.isArray(content) ? content : []).filter(
      (item) => readString(item, "type") === "image",
    ).length,
  };
}

type MeasuredContent = {
  readonly bytes: number;
  readonly tokens: number | null;
  readonly beginnings: readonly string[];
  readonly isTruncated: boolean;
};

const notMeasured: MeasuredContent = { bytes: 0, tokens: null, beginnings: [], isTruncated: false };

// Measures each text before reading the next: reading may overwrite the earlier text.
function measureContent(
  content: unknown,
  utils: ReaderUtils,
  model: string | null,
): MeasuredContent {
  let bytes = 0;
  let tokens: number | null = 0;
  let isTruncated = false;
  const beginnings: string[] = [];
  for (const item of Array.isArray(content) ? content : [content]) {
    const text = readItem(item);
    if (text === undefined) continue;
    const measured = measureTexts([text], utils, model);
    bytes += measured.bytes;
    tokens = tokens === null || measured.tokens === null ? null : tokens + measured.tokens;
    beginnings.push(readBeginning(text));
    isTruncated ||= text.includes("[OUTPUT TRUNCATED");
  }
  return { bytes, tokens, beginnings, isTruncated };
}

function readItem(item: unknown): LogText | undefined {
  const text = readLogText(item);
  if (text !== undefined) return text;
  return readString(item, "type") === "text"
    ? (readLogText(readMember(item, "text")) ?? "")
    : undefined;
}

function detectVisibility({ beginnings, isTruncated }: MeasuredContent): LoggedVisibility {
  if (beginnings[0]?.startsWith(clearedText) === true) return "unknown";
  const isSpilled = beginnings.some(
    (beginning) => beginning.startsWith("<persisted-output>") || tooLongPattern.test(beginning),
  );
  return isSpilled || isTruncated ? "spilled" : "as_logged";
}

function detectOutcome(block: unknown, beginning: string, isDenied: boolean): LoggedOutcome {
  if (!isObject(block) || block["is_error"] !== true) return "ok";
  if (isDenied) return "denied";
  return unknownToolPattern.test(beginning) ? "unknown_tool" : "tool_error";
}

// The model name on answers that Claude Code writes itself.
const syntheticModel = "<synthetic>";

export function parseRequest(
  line: JsonObject,
  { at, conversation, isSideChain }: LineFacts,
  utils: ReaderUtils,
): RequestEvent | undefined {
  const usage = readMember(line, "message", "usage");
  const model = readId(utils, line, "message", "model");
  if (!isObject(usage) || line["isApiErrorMessage"] === true || model === syntheticModel) {
    return undefined;
  }
  const message = readId(utils, line, "message", "id");
  return {
    kind: "request",
    at,
    conversation,
    keys: {
      message,
      request: readId(utils, line, "requestId"),
      line: message === null ? readId(utils, line, "uuid") : null,
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
    // If the split by lifetime is missing or incomplete, the remainder counts as five-minute writes.
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
