import type { Outcome } from "#records/record.ts";
import { readMember, readString } from "#wire/json.ts";
import type { Arrival, Call, Carrier, Closed } from "./call.ts";

function classifyResult(method: string, result: unknown): Outcome {
  if (method !== "tools/call" || readString(result, "resultType") === "input_required") return "ok";
  return readMember(result, "isError") === true ? "tool_error" : "ok";
}

export function endCall(call: Call, outcome: Outcome, atMs: number): Closed {
  return { kind: "closed", call, closing: { outcome, endedMs: atMs } };
}

export function abandon(call: Call | undefined, atMs: number): readonly Closed[] {
  return call ? [endCall(call, "abandoned", atMs)] : [];
}

export type AnswerContent = { readonly result?: unknown; readonly error?: unknown };

export function closeAnswered(
  call: Call,
  content: AnswerContent,
  arrival: Arrival,
  carrier?: Carrier,
): Closed {
  const isError = !("result" in content) && content.error !== undefined;
  const outcome = isError ? "rpc_error" : classifyResult(call.method, content.result);
  const closing = { ...content, outcome, endedMs: arrival.atMs };
  return { kind: "closed", call, closing, ...(carrier && { answer: { arrival, carrier } }) };
}
