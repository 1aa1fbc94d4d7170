import type { Repeated } from "../calls/transition.ts";
import type { Keep } from "./action.ts";
import { decideAnswer, mostTokens } from "./answer-decision.ts";
import { askForAnswer, gatesAnswers, type Grant, newGrant, release, reserve } from "./claim.ts";
import { askedCounters, type Context, type Decision } from "./decision.ts";

/** Decides about a further answer to a call whose last one the client may have rejected: it may read this one instead. `before` is the grant of the call. */
export function decideRepeated(
  repeated: Repeated,
  before: Grant,
  context: Context,
  keep: Keep,
): Decision {
  const { nowMs, reader } = context;
  const parts = before.claims.map(({ account }) => ({ account, hold: undefined, unreadable: 0 }));
  if (askForAnswer(parts, mostTokens(repeated, reader), context)) return askedCounters;
  const grant = newGrant(0);
  for (const { account } of before.claims) {
    if (gatesAnswers(account)) reserve(grant, account, nowMs, true);
  }
  const decided = { ...context, mayAsk: false };
  const decision = decideAnswer({ ...repeated, kind: "closed" }, grant, decided, keep);
  if (decision.kind === "refuse" || decision.kind === "unsettled") release(grant);
  return decision;
}
