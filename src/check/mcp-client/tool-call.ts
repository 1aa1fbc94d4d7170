import { escapeUnsafe, joinLines, type Redactor } from "#kit/text/unsafe-text.ts";
import {
  readArray,
  readMember,
  readString,
  stringifyCompact,
  type JsonObject,
} from "#wire/json.ts";
import type { RequestId } from "./traffic.ts";

export type ToolCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  readonly inputSchema?: unknown;
};

export type ToolCallOutcome = {
  readonly isError: boolean;
  readonly errorCode: number | null;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly result: unknown;
  readonly requestId: RequestId | null;
  readonly line: string | undefined;
};

export function makeResultOutcome(
  result: unknown,
  redact: Redactor,
): Omit<ToolCallOutcome, "requestId" | "line"> {
  const isError = readMember(result, "isError") === true;
  const error = isError ? readToolError(result, redact) : null;
  return { isError, errorCode: null, isAnswered: true, error, result };
}

export function makeFailedOutcome(
  error: string,
  errorCode: number | null,
): Omit<ToolCallOutcome, "requestId" | "line"> {
  return { isError: true, errorCode, isAnswered: errorCode !== null, error, result: undefined };
}

export const toolErrorCharactersMax = 500;

export function readToolError(result: unknown, redact: Redactor): string | null {
  const texts = readArray(result, "content").map((block) => readString(block, "text") ?? "");
  const structuredContent = readMember(result, "structuredContent");
  const text =
    texts.join(" ").trim() ||
    (structuredContent === undefined ? "" : stringifyCompact(structuredContent));
  const line = joinLines(text, redact).slice(0, toolErrorCharactersMax).toWellFormed();
  return line === "" ? null : escapeUnsafe(line);
}

const methodNotFound = -32_601;

type CallError = { readonly code: number | null; readonly text: string };

// For an unknown or disabled tool, the TypeScript SDK sends `Tool NAME not found` or `Tool NAME disabled`. SDK 1.x adds
// `isError`, and SDK 2.x adds the code -32602. Wrong arguments get the same `isError` or code, so the text decides. The
// Python SDK sends `Unknown tool: NAME`.
export function saysToolIsUnknown({ code, text }: CallError, tool: string): boolean {
  if (code === methodNotFound) return true;
  const message = text.replace(errorPrefix, "");
  const withoutName = message.replace(
    new RegExp(`(?<![\\w-])${RegExp.escape(tool)}(?![\\w-])`),
    " ",
  );
  // `Unknown tool: hammer` counts only if `hammer` was called: otherwise `hammer` may be an argument of the call.
  // A bare `Unknown tool` always counts.
  const isNamed = withoutName !== message;
  const words = withoutName
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, " ")
    .trim();
  return isNamed ? unknownToolText.test(words) : unknownToolText.exec(words)?.[0] === words;
}

const errorPrefix = /^(?:MCP error -?\d+: |(?:\w*Error|error): )*/;

const unknownToolText =
  /^(?:(?:unknown|invalid|unsupported|no such|unrecognized) tool(?: name)?|tool (?:name )?(?:is )?(?:not (?:found|available|known|registered|supported)|unknown|disabled|does not exist|doesn t exist))\b/;
