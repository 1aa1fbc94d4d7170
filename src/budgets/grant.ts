import type { Account } from "./accounts.ts";
import type { Hold } from "./counter.ts";

/** What one open call has in one account. */
export type Claim = {
  readonly account: Account;
  /** Undefined for a limit on each call. */
  readonly hold: Hold | undefined;
  /** True when this call went beyond the account, be it refused or not. */
  isBreached: boolean;
};

/** What one open call keeps back in the accounts it is charged to. */
export class Grant {
  /** Tokens of the request. */
  readonly input: number;
  /** The most that the call can cost, as far as is known of it. */
  most: number;
  readonly #claims: Claim[] = [];

  constructor(input: number) {
    this.input = input;
    this.most = input;
  }

  get claims(): readonly Claim[] {
    return this.#claims;
  }

  /** True when its answer must be judged before it passes. */
  get isJudged(): boolean {
    return this.#claims.some(({ account }) => isJudging(account));
  }

  /** Keeps the request's share back; undefined when there is no room for it. */
  reserve(account: Account, nowMs: number, isForced = false): Claim | undefined {
    const { budget, kept } = account;
    // An empty counter has no room for a request of no tokens either.
    const amount = budget.unit === "tokens" ? Math.max(1, this.input) : 1;
    if (!kept && !isForced && amount > budget.limit) return undefined;
    const hold = kept?.book.hold(kept.counter, amount, nowMs, isForced);
    if (kept && !hold) return undefined;
    const claim: Claim = { account, hold, isBreached: false };
    this.#claims.push(claim);
    return claim;
  }

  /** Gives everything back: the call was cancelled or refused. */
  release(): void {
    for (const { account, hold } of this.#claims) if (hold) account.kept?.book.release(hold);
  }
}

/** True when answers of so many tokens must not pass unjudged. */
export function isJudging({ budget, action }: Account): boolean {
  return action.holdsAnswers && budget.unit === "tokens";
}

/**
 * Spends that many tokens; false when there is no room for them. They are spent before they are delivered:
 * a meter that is killed in between has charged too much, never too little.
 */
export function spend({ account, hold }: Claim, tokens: number, nowMs: number): boolean {
  const { budget, kept } = account;
  if (budget.unit === "calls") {
    if (hold) kept?.book.settle(hold, 1);
    return true;
  }
  const isForced = !isJudging(account);
  if (!kept || !hold) return isForced || tokens <= budget.limit;
  return kept.book.resize(hold, tokens, nowMs, isForced, true);
}

/** The same whether there is room or not: the answer has passed. */
export function spendAnyway(claim: Claim, tokens: number, nowMs: number): void {
  const { kept } = claim.account;
  if (claim.account.budget.unit === "calls") spend(claim, tokens, nowMs);
  else if (claim.hold) kept?.book.resize(claim.hold, tokens, nowMs, true, true);
}

/** What the claim may be at most, its own part included. */
export function roomOf({ account, hold }: Claim, nowMs: number): number {
  const { budget, kept } = account;
  if (!kept) return budget.limit;
  return budget.limit - kept.book.taken(kept.counter, nowMs) + (hold?.amount ?? 0);
}
