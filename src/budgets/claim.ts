import type { Account } from "./accounts.ts";
import type { Hold } from "./counter.ts";

/** The share of one open call in one account. */
export type Claim = {
  readonly account: Account;
  /** Undefined for a limit per call. */
  readonly hold: Hold | undefined;
  /** True when this call exceeded the account, refused or not. */
  isBreached: boolean;
};

/** Everything that one open call has reserved. */
export type Grant = {
  /** Tokens of the request. */
  readonly input: number;
  /** The most that the call can cost, as far as is known of it. */
  most: number;
  readonly claims: Claim[];
};

/** A grant that has reserved nothing yet. */
export function newGrant(input: number): Grant {
  return { input, most: input, claims: [] };
}

/** Reserves the request's share of an account; undefined when there is no room and it is not forced. */
export function reserve(
  grant: Grant,
  account: Account,
  nowMs: number,
  isForced = false,
): Claim | undefined {
  const { budget, kept } = account;
  // A counter without room has none for a request of 0 tokens either.
  const amount = budget.unit === "tokens" ? Math.max(1, grant.input) : 1;
  if (!kept && !isForced && amount > budget.limit) return undefined;
  const hold = kept?.store.hold(kept.counter, amount, nowMs, isForced);
  if (kept && !hold) return undefined;
  const claim: Claim = { account, hold, isBreached: false };
  grant.claims.push(claim);
  return claim;
}

/** Gives back everything that a grant reserved: the call was cancelled or refused. */
export function release({ claims }: Grant): void {
  for (const { account, hold } of claims) if (hold) account.kept?.store.release(hold);
}

/** True when an answer of tokens must not pass before it is decided. */
export function gatesAnswers({ budget, action }: Account): boolean {
  return action.holdsAnswers && budget.unit === "tokens";
}

/**
 * Spends that many tokens; false when there is no room for them. They are spent before they are delivered:
 * a meter that is killed in between has charged too much, never too little.
 */
export function spend({ account, hold }: Claim, tokens: number, nowMs: number): boolean {
  const { budget, kept } = account;
  if (budget.unit === "calls") {
    if (hold) kept?.store.settle(hold, 1);
    return true;
  }
  const isForced = !gatesAnswers(account);
  if (!kept || !hold) return isForced || tokens <= budget.limit;
  return kept.store.resize(hold, tokens, nowMs, { isForced, isSpent: true });
}

const forcedSpending = { isForced: true, isSpent: true };

/** Spends that many tokens whether there is room or not: the answer has passed. */
export function spendAnyway(claim: Claim, tokens: number, nowMs: number): void {
  const { kept } = claim.account;
  if (claim.account.budget.unit === "calls") spend(claim, tokens, nowMs);
  else if (claim.hold) kept?.store.resize(claim.hold, tokens, nowMs, forcedSpending);
}

/** The most that the claim may be, its present amount included. */
export function roomFor({ account, hold }: Claim, nowMs: number): number {
  const { budget, kept } = account;
  if (!kept) return budget.limit;
  return budget.limit - kept.store.taken(kept.counter, nowMs) + (hold?.amount ?? 0);
}
