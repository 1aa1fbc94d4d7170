import { memberAt } from "#wire/json.ts";
import type { Call } from "#calls/call.ts";
import type { Closing } from "#calls/outcome.ts";
import type { Draft } from "./draft.ts";
import type { Gate } from "#budgets/gate.ts";

/** The draft of a call that charges its budgets with what it cost as soon as that is counted. */
export function settling(
  draft: Draft,
  call: Call,
  closing: Closing,
  gate: Gate,
  wallMs: number,
): Draft {
  if (closing.outcome === "cancelled" || closing.outcome === "refused") {
    gate.release(call);
    return draft;
  }
  return {
    ...draft,
    finish(isUnread) {
      const body = draft.finish(isUnread);
      const isCounted = body.type === "call" && !body.truncated;
      const tokens = isCounted ? body.total_tokens : undefined;
      gate.settle(call, tokens, !isNeverRun(closing.error), wallMs);
      return body;
    },
  };
}

/** JSON-RPC's own errors: parse error, invalid request, method not found, invalid params. */
const neverRunCodes: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_601, -32_602]);

function isNeverRun(error: unknown): boolean {
  return neverRunCodes.has(memberAt(error, "code"));
}
