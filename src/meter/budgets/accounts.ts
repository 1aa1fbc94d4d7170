import { nameCharactersMax } from "#kit/limits.ts";
import type { Call } from "../calls/call.ts";
import type { BudgetState } from "#records/record.ts";
import { matchesWildcard, isWildcard } from "#kit/text/match-names.ts";
import type { Action, Context } from "./decision.ts";
import type { Budget } from "./budget.ts";
import type { Counter, CounterStore, Hold } from "./counter.ts";
import type { GateOptions } from "./gate-options.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

export type Account = {
  readonly budget: Budget;
  readonly action: Action;
  readonly tool: string | null;
  readonly stored: { readonly counter: Counter; readonly store: CounterStore } | undefined;
  breaches: number;
  largest: number;
  warned: boolean;
};

// Tools beyond `toolRowsMax` share one account per budget.
const otherTools = "(other)";

const unreadTool = "(unread)";

export class Accounts {
  readonly #options: Pick<GateOptions, "budgets" | "actions" | "stores">;
  readonly #server: string; // in the keys of counters, which servers do not share
  readonly #accounts = new Map<string, Account>();

  constructor(options: Pick<GateOptions, "budgets" | "actions" | "stores">, server: string) {
    this.#options = options;
    this.#server = server;
  }

  // A call without a readable name (null) is charged to every tool, so that it evades no budget.
  list(call: Call, toolName: string | null = call.request.tool): Account[] {
    const isTool = call.method === "tools/call";
    const accounts = this.#options.budgets.flatMap((budget) => {
      if (call.isForPage && !limitsPages(budget)) return [];
      if (budget.tool === null) return [this.#open(budget, null)];
      if (!isTool) return [];
      // A truncated name may be any tool.
      if (toolName === null || toolName.length >= nameCharactersMax)
        return this.#listForEveryTool(budget, budget.tool);
      const isCovered =
        matchesWildcard(budget.tool, toolName) || isForbidden(budget, budget.tool, toolName);
      return isCovered ? [this.#open(budget, toolName)] : [];
    });
    return [...new Set(accounts)];
  }

  #listForEveryTool(budget: Budget, pattern: string): readonly Account[] {
    if (!isWildcard(pattern)) return [this.#open(budget, pattern)];
    const open = [...this.#accounts.values()].filter((account) => account.budget === budget);
    return open.length === 0 ? [this.#open(budget, unreadTool)] : open;
  }

  listStates(nowMs: number): BudgetState[] {
    for (const budget of this.#options.budgets) {
      if (!isWildcard(budget.tool ?? "")) this.#open(budget, budget.tool);
    }
    return [...this.#accounts.values()].map(({ budget, tool, stored, breaches, largest }) => ({
      budget: budget.spec,
      tool,
      limit: budget.limit,
      unit: budget.unit,
      per: budget.per,
      action: budget.action,
      spent: stored ? stored.store.standing(stored.counter, nowMs).taken : largest,
      breaches,
    }));
  }

  #open(budget: Budget, rawTool: string | null): Account {
    const known = this.#accounts.get(makeAccountKey(budget, rawTool));
    if (known) return known;
    const isFull = rawTool !== null && this.#accounts.size >= toolRowsMax;
    const tool = isFull && isWildcard(budget.tool ?? "") ? otherTools : rawTool;
    const sharedAccount =
      tool === rawTool ? undefined : this.#accounts.get(makeAccountKey(budget, tool));
    if (sharedAccount) return sharedAccount;
    const action = this.#options.actions[budget.action];
    if (!action) throw new Error(`Unknown action "${budget.action}"`);
    const stored = this.#makeStored(budget, tool);
    const account = { budget, action, tool, stored, breaches: 0, largest: 0, warned: false };
    this.#accounts.set(makeAccountKey(budget, tool), account);
    return account;
  }

  #makeStored(budget: Budget, tool: string | null): Account["stored"] {
    const { per, limit } = budget;
    if (per === "call") return undefined;
    const key = makeCounterKey(budget, tool, budget.isOverall ? null : this.#server);
    const { session, shared } = this.#options.stores;
    return { counter: { key, per, limit }, store: per === "session" ? session : shared };
  }
}

// No model reads a page's calls, but a budget that forbids or names the tool still applies.
function limitsPages({ tool, limit }: Budget): boolean {
  return limit === 0 || (tool !== null && !isWildcard(tool));
}

// Some servers ignore case and blanks in tool names.
function isForbidden({ limit }: Budget, pattern: string, named: string): boolean {
  return limit === 0 && matchesWildcard(foldName(pattern), foldName(named));
}

function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{C}\s]/gu, "");
}

// Two budgets of one tool share no counter. `server` is null for all servers together.
function makeCounterKey(budget: Budget, tool: string | null, server: string | null): string {
  const { tool: pattern, unit, per, action } = budget;
  return JSON.stringify([server, tool, pattern, unit, per, action]);
}

function makeAccountKey(budget: Budget, tool: string | null): string {
  return makeCounterKey(budget, tool, budget.isOverall ? null : "");
}

/** Beyond this many tokens, counting can stop: every budget is exceeded. */
export function findLargestLimit(accounts: readonly Account[]): number {
  const limits = accounts.map(({ budget }) => (budget.unit === "tokens" ? budget.limit : 0));
  return Math.max(0, ...limits);
}

export type Claim = {
  readonly account: Account;
  readonly hold: Hold | undefined;
  isBreached: boolean;
  unreadable: number; // tokens of unreadable lines that may answer this call; never refunded
};

export type Grant = {
  readonly input: number;
  most: number;
  readonly claims: Claim[];
};

export function makeGrant(input: number): Grant {
  return { input, most: input, claims: [] };
}

// At least 1 token, so that a full counter refuses an empty request too.
function countRequestAmount({ budget }: Account, input: number): number {
  return budget.unit === "tokens" ? Math.max(1, input) : 1;
}

type AskingContext = Pick<Context, "mayAsk" | "nowMs">;

/** True if the decision must wait for a counter that cannot answer at once. */
export function askForRequest(
  accounts: readonly Account[],
  input: number,
  { mayAsk, nowMs }: AskingContext,
): boolean {
  if (!mayAsk) return false;
  const asking = accounts.map((account) => {
    const { action, budget, stored } = account;
    const amount = countRequestAmount(account, input);
    if (!action.isEnforcing || amount > budget.limit) return false;
    const isSpent = budget.unit === "calls";
    return stored?.store.ask?.(
      { counter: stored.counter, hold: undefined, amount, isSpent },
      nowMs,
    );
  });
  return asking.includes(true);
}

/** `hold` is undefined for a reservation that is not claimed yet. */
export function askForAnswer(
  reservations: readonly Pick<Claim, "account" | "hold" | "unreadable">[],
  tokens: number,
  { mayAsk, nowMs }: AskingContext,
): boolean {
  if (!mayAsk) return false;
  const asking = reservations.map(({ account, hold, unreadable }) => {
    const { stored } = account;
    if (!stored || !gatesAnswers(account)) return false;
    const need = { counter: stored.counter, hold, amount: tokens + unreadable, isSpent: true };
    return stored.store.ask?.(need, nowMs);
  });
  return asking.includes(true);
}

export function fitsLastKnown(account: Account, { input }: Grant, nowMs: number): boolean {
  const { stored, budget } = account;
  if (!stored?.store.ask) return false;
  const { taken } = stored.store.standing(stored.counter, nowMs);
  return taken + countRequestAmount(account, input) <= budget.limit;
}

export function reserve(
  grant: Grant,
  account: Account,
  nowMs: number,
  isForced = false,
): Claim | undefined {
  const { budget, stored } = account;
  const amount = countRequestAmount(account, grant.input);
  if (!stored && !isForced && amount > budget.limit) return undefined;
  const hold = stored?.store.hold(stored.counter, amount, nowMs, isForced);
  if (stored && !hold) return undefined;
  // A forwarded call counts as made even if mcp-meter is killed before the answer.
  if (hold && budget.unit === "calls") stored?.store.settle(hold, amount);
  const claim: Claim = { account, hold, isBreached: false, unreadable: 0 };
  grant.claims.push(claim);
  return claim;
}

/** Refunds neither unreadable lines nor, in a budget of calls, a call that ran. */
export function release({ claims }: Grant, didRun = false): void {
  for (const { account, hold, unreadable } of claims) {
    if (!hold) continue;
    if (didRun && account.budget.unit === "calls") continue;
    if (unreadable > 0) account.stored?.store.settle(hold, unreadable);
    else account.stored?.store.release(hold);
  }
}

export function gatesAnswers({ budget, action }: Account): boolean {
  return action.holdsAnswers && budget.unit === "tokens";
}

/** Spends before delivery: a kill in between charges too much rather than too little. */
export function spend(claim: Claim, tokens: number, nowMs: number): boolean {
  const { account, hold, unreadable } = claim;
  const { budget, stored } = account;
  if (budget.unit === "calls") return true;
  const isForced = !gatesAnswers(account);
  const amount = tokens + unreadable;
  if (!stored || !hold) return isForced || amount <= budget.limit;
  return stored.store.resize(hold, amount, nowMs, { isForced, isSpent: true });
}

/** Spends an unreadable line besides the call's `input`. False if it does not fit, unless forced. */
export function spendUnreadable(
  claim: Claim,
  tokens: number,
  { input, nowMs, isForced }: { input: number; nowMs: number; isForced: boolean },
): boolean {
  const { account, hold } = claim;
  const { stored, budget } = account;
  const fits =
    stored && hold
      ? stored.store.resize(hold, hold.amount + tokens, nowMs, { isForced, isSpent: true })
      : isForced || input + claim.unreadable + tokens <= budget.limit;
  if (fits) claim.unreadable += tokens;
  return fits;
}

export function refundUnreadable(claim: Claim, tokens: number, nowMs: number): void {
  const { account, hold } = claim;
  claim.unreadable -= tokens;
  if (hold) account.stored?.store.resize(hold, hold.amount - tokens, nowMs, forcedSpending);
}

const forcedSpending = { isForced: true, isSpent: true };

export function spendAnyway(claim: Claim, tokens: number, nowMs: number): void {
  const { stored } = claim.account;
  if (claim.account.budget.unit === "tokens" && claim.hold)
    stored?.store.resize(claim.hold, tokens + claim.unreadable, nowMs, forcedSpending);
}

export function computeRoom({ account, hold, unreadable }: Claim, nowMs: number): number {
  const { budget, stored } = account;
  const ownHold = (hold?.amount ?? 0) - unreadable;
  if (!stored) return budget.limit - unreadable;
  return budget.limit - stored.store.standing(stored.counter, nowMs).taken + ownHold;
}
