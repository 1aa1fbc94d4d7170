import type { Call } from "../calls/call.ts";
import type { Unreadable } from "../calls/transition.ts";
import type { Account } from "./accounts.ts";
import { breachOf } from "./breach.ts";
import { answerBound } from "./call-price.ts";
import {
  askForAnswer,
  type Claim,
  gatesAnswers,
  type Grant,
  refundUnreadable,
  spendUnreadable,
} from "./claim.ts";
import { askedCounters, type Context, type Decision, forward, unsettled } from "./decision.ts";

export type AwaitedGrant = readonly [grant: Grant, call: Call];

type AwaitedClaim = { readonly claim: Claim; readonly grant: Grant; readonly call: Call };

/**
 * Decides about a line of the server that may contain an answer and could not be read. It is charged by its length to
 * every account that waits for an answer, because it may belong to any of them, and it is withheld when one of them
 * has no room for it. The calls stay open.
 */
export function decideUnreadable(
  { arrival: { line, hasPassed } }: Unreadable,
  awaited: readonly AwaitedGrant[],
  context: Context,
): Decision {
  const { reader, nowMs, isSettled } = context;
  const tokens = answerBound({ bytes: line.size, ceiling: undefined }, reader);
  const claims = claimsOf(awaited);
  const parts = claims.map(({ claim: { account, hold } }) => ({
    account,
    hold,
    unreadable: hold?.amount ?? 0,
  }));
  if (askForAnswer(parts, tokens, context)) return askedCounters;
  const charged: Claim[] = [];
  for (const { claim, grant, call } of claims) {
    const { input } = grant;
    if (spendUnreadable(claim, tokens, { input, nowMs, isForced: hasPassed })) {
      charged.push(claim);
      continue;
    }
    for (const other of charged) refundUnreadable(other, tokens, nowMs);
    if (!isSettled) return unsettled;
    claim.isBreached = true;
    return withheld(claim.account, call, tokens, nowMs);
  }
  return forward;
}

/** One claim for every counter, and every claim of a limit per call. */
function claimsOf(awaited: readonly AwaitedGrant[]): readonly AwaitedClaim[] {
  const counted = new Set<Account>();
  return awaited.flatMap(([grant, call]) =>
    grant.claims.flatMap((claim): AwaitedClaim[] => {
      const { account } = claim;
      if (!gatesAnswers(account) || counted.has(account)) return [];
      if (account.kept) counted.add(account);
      return [{ claim, grant, call }];
    }),
  );
}

function withheld(account: Account, call: Call, tokens: number, nowMs: number): Decision {
  const { tool } = call.asked;
  const price = { tokens, sureness: "at most" } as const;
  const reason = "answer_over_budget";
  const shortage = { call, tool, ...price, reason, didRun: true, isEnforced: true } as const;
  const { record, facts } = breachOf(account, shortage, nowMs);
  return { kind: "refuse", facts, records: [record] };
}
