import type { Repeated } from "#calls/transition.ts";
import type { Keep } from "./action.ts";
import { decideAnswer } from "./answer-decision.ts";
import { gatesAnswers, type Grant, newGrant, release, reserve } from "./claim.ts";
import type { Context, Decision } from "./decision.ts";

/**
 * Decides about a further answer to a call whose last one the client may have rejected. It is charged like the first,
 * to the same accounts, because the client may read this one instead. `before` is the grant of the call.
 */
export function decideRepeated(
  repeated: Repeated,
  before: Grant,
  context: Context,
  keep: Keep,
): Decision {
  const grant = newGrant(0);
  for (const { account } of before.claims) {
    if (gatesAnswers(account)) reserve(grant, account, context.nowMs, true);
  }
  const decision = decideAnswer({ ...repeated, kind: "closed" }, grant, context, keep);
  if (decision.kind === "refuse" || decision.kind === "unsettled") release(grant);
  return decision;
}
