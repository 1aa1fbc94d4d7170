import { textAt } from "#wire/json.ts";
import type { Outcome } from "#records/record.ts";

/** How a call ended. */
export type Closing = {
  readonly outcome: Outcome;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly endedMs: number;
};

/** `ok`, or `tool_error` when the tool itself says that it failed. */
export function outcomeOf(method: string, result: unknown): Outcome {
  if (method !== "tools/call") return "ok";
  const isError = textAt(result, "resultType") !== "input_required" && isErrorResult(result);
  return isError ? "tool_error" : "ok";
}

function isErrorResult(result: unknown): boolean {
  return typeof result === "object" && result !== null && Reflect.get(result, "isError") === true;
}
