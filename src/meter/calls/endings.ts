import type { Outcome } from "#records/record.ts";
import type { Arrival } from "./arrival.ts";
import type { Call } from "./call.ts";
import type { Carrier } from "./carrier.ts";
import type { InnerAnswer } from "./inner-requests.ts";
import { outcomeOfResult, type Closing } from "./outcome.ts";
import type { Closed } from "./transition.ts";

export function ended(call: Call, outcome: Outcome, atMs: number): Closed {
  return { kind: "closed", call, closing: { outcome, endedMs: atMs } };
}

export function given(call: Call | undefined, atMs: number): readonly Closed[] {
  return call ? [ended(call, "abandoned", atMs)] : [];
}

export type AnswerContent = { readonly result?: unknown; readonly error?: unknown };

export function answeredWith(
  call: Call,
  content: AnswerContent,
  arrival: Arrival,
  carrier?: Carrier,
): Closed {
  const { result, error } = content;
  const isError = "result" in content ? false : error !== undefined;
  const outcome = isError ? "rpc_error" : outcomeOfResult(call.method, result);
  const ending = { outcome, endedMs: arrival.atMs };
  const closing = closingOf(content, ending);
  return carrier
    ? { kind: "closed", call, closing, answer: { arrival, carrier } }
    : { kind: "closed", call, closing };
}

function closingOf(
  content: AnswerContent,
  { outcome, endedMs }: Pick<Closing, "outcome" | "endedMs">,
): Closing {
  const { result, error } = content;
  if (!("result" in content)) return { error, outcome, endedMs };
  return error === undefined ? { result, outcome, endedMs } : { result, error, outcome, endedMs };
}

export const answeredInside =
  (atMs: number) =>
  ({ call, result }: InnerAnswer): Closed => ({
    kind: "closed",
    call,
    closing: { outcome: "ok", result, endedMs: atMs },
  });
