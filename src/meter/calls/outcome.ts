import type { Outcome } from "#records/record.ts";
import { memberAt, textAt } from "#wire/json.ts";

export type Closing = {
  readonly outcome: Outcome;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The server's answer, where the client got ours in its place; without members when it was not read. */
  readonly replaced?: { readonly result?: unknown; readonly error?: unknown };
  readonly endedMs: number;
};

export function outcomeOfResult(method: string, result: unknown): Outcome {
  if (method !== "tools/call" || textAt(result, "resultType") === "input_required") return "ok";
  return memberAt(result, "isError") === true ? "tool_error" : "ok";
}
