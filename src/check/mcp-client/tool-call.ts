import type { Clean } from "#kit/text/one-line.ts";
import { memberAt, type JsonObject } from "#wire/json.ts";
import { toolErrorText } from "./failure.ts";
import type { RequestId } from "./traffic.ts";

export type ToolCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  readonly inputSchema?: unknown;
};

export type ToolAnswer = {
  readonly isError: boolean;
  readonly errorCode: number | null;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly result: unknown;
  readonly requestId: RequestId | null;
  readonly line: string | undefined;
};

export function resultAnswer(
  result: unknown,
  clean: Clean,
): Omit<ToolAnswer, "requestId" | "line"> {
  const isError = memberAt(result, "isError") === true;
  const error = isError ? toolErrorText(result, clean) : null;
  return { isError, errorCode: null, isAnswered: true, error, result };
}

export function failedAnswer(
  error: string,
  errorCode: number | null,
): Omit<ToolAnswer, "requestId" | "line"> {
  return { isError: true, errorCode, isAnswered: errorCode !== null, error, result: undefined };
}
