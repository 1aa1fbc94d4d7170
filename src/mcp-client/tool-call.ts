import type { Clean } from "#text/one-line.ts";
import { memberAt, type JsonObject } from "#wire/json.ts";
import { toolErrorText } from "./failure.ts";
import type { RequestId } from "./traffic.ts";

/** A call to make. */
export type ToolCall = {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeoutMs: number;
  /** The schema of its arguments, by which some of them are headers too. */
  readonly inputSchema?: unknown;
};

/**
 * How one call ended: `error` is the text of a result with `isError`, the message of a JSON-RPC error, or the reason for
 * a missing answer.
 */
export type ToolAnswer = {
  readonly isError: boolean;
  /** Code of a JSON-RPC error; null without one. */
  readonly errorCode: number | null;
  /** False when neither a result nor a JSON-RPC error arrived that could be read. */
  readonly isAnswered: boolean;
  readonly error: string | null;
  /** The result as the server wrote it; undefined without one. */
  readonly result: unknown;
  /** Id of its request; null when none was sent. */
  readonly requestId: RequestId | null;
  /** The line of the result; undefined without one. */
  readonly line: string | undefined;
};

/** The end of a call by its result. */
export function resultAnswer(
  result: unknown,
  clean: Clean,
): Omit<ToolAnswer, "requestId" | "line"> {
  const isError = memberAt(result, "isError") === true;
  const error = isError ? toolErrorText(result, clean) : null;
  return { isError, errorCode: null, isAnswered: true, error, result };
}

/** The end of a call without a result; `errorCode` is that of a JSON-RPC error. */
export function failedAnswer(
  error: string,
  errorCode: number | null,
): Omit<ToolAnswer, "requestId" | "line"> {
  return { isError: true, errorCode, isAnswered: errorCode !== null, error, result: undefined };
}
