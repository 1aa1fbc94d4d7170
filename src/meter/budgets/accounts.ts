import { nameCharactersMax } from "#kit/limits.ts";
import type { Call } from "../calls/call.ts";
import type { BudgetState } from "#records/record.ts";
import { isWildcard, matchesWildcard } from "#kit/text/match-names.ts";
import type { Action, DecisionContext } from "./decision.ts";
import { type Budget, nanodollarsPerDollar, rankBudgets } from "./budget.ts";
import {
  type Counter,
  type CounterStore,
  type Hold,
  makeCounterKey,
  toShownAmount,
} from "./counter.ts";
import type { BudgetUser, CallPrices, GateOptions } from "./gate-options.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

export type Account = {
  readonly budget: Budget;
  readonly action: Action;
  readonly tool: string | null;
  readonly stored: { readonly counter: Counter; readonly store: CounterStore } | undefined;
  readonly prices: CallPrices | undefined; // of a budget in dollars
  readonly user: string | undefined; // set for a budget per user if records may name the user
  breaches: number;
  largestAmount: number; // of a single call; a budget per call reports it as spent
  hasWarned: boolean;
};

// After `toolRowsMax` accounts are open, further tools of a wildcard budget share an account.
const otherTools = "(other)";

const unreadTool = "(unread)"; // for calls whose tool name could not be read in full

type AccountOptions = Pick<GateOptions, "budgets" | "actions" | "stores" | "user" | "callPrices">;

export class Accounts {
  readonly #options: AccountOptions;
  readonly #server: string; // in the keys of counters that servers do not share
  readonly #ranks: ReadonlyMap<Budget, number>;
  readonly #accounts = new Map<string, Account>();

  constructor(options: AccountOptions, server: string) {
    this.#options = options;
    this.#server = server;
    this.#ranks = rankBudgets(options.budgets, options.actions);
  }

  // A tool call without a readable name (null) is charged to every budget for tools, so that it evades none.
  list(call: Call, toolName: string | null = call.request.tool): Account[] {
    const isToolCall = call.method === "tools/call";
    const accounts = this.#options.budgets.flatMap((budget) => {
      if (call.isForApp && !limitsAppCalls(budget)) return [];
      if (budget.tool === null) return [this.#open(budget, null)];
      if (!isToolCall) return [];
      // A truncated name may belong to any tool.
      if (toolName === null || toolName.length >= nameCharactersMax)
        return this.#listForEveryTool(budget, budget.tool);
      return limitsTool(budget, toolName) ? [this.#open(budget, toolName)] : [];
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
    return [...this.#accounts.values()].map(
      ({ budget, tool, stored, prices, user, ...counts }) => ({
        budget: budget.spec,
        tool,
        limit: toShownAmount(budget.unit, budget.limit),
        unit: budget.unit,
        per: budget.per,
        action: budget.action,
        spent: toShownAmount(
          budget.unit,
          stored ? stored.store.readStanding(stored.counter, nowMs).taken : counts.largestAmount,
        ),
        breaches: counts.breaches,
        ...(prices ? { prices: prices.origin } : {}),
        ...(user === undefined ? {} : { user }),
      }),
    );
  }

  #open(budget: Budget, rawTool: string | null): Account {
    const opened = this.#accounts.get(this.#makeKey(budget, rawTool));
    if (opened) return opened;
    const isFull = rawTool !== null && this.#accounts.size >= toolRowsMax;
    const tool = isFull && isWildcard(budget.tool ?? "") ? otherTools : rawTool;
    const sharedAccount =
      tool === rawTool ? undefined : this.#accounts.get(this.#makeKey(budget, tool));
    if (sharedAccount) return sharedAccount;
    const action = this.#options.actions[budget.action];
    if (!action) throw new Error(`Unknown action "${budget.action}"`);
    const prices = budget.unit === "dollars" ? this.#options.callPrices : undefined;
    const stored = this.#assignCounter(budget, tool);
    const user = budget.owner === "user" ? findRecordedUser(this.#options.user) : undefined;
    const zeros = { breaches: 0, largestAmount: 0, hasWarned: false };
    const account = { budget, action, tool, stored, prices, user, ...zeros };
    this.#accounts.set(this.#makeKey(budget, tool), account);
    return account;
  }

  #assignCounter(budget: Budget, tool: string | null): Account["stored"] {
    const { per, limit, action } = budget;
    if (per === "call") return undefined;
    const counter = { key: this.#makeKey(budget, tool), per, limit, action };
    const { session, shared } = this.#options.stores;
    return { counter, store: per === "session" ? session : shared };
  }

  #makeKey(budget: Budget, tool: string | null): string {
    const server = budget.isOverall ? null : this.#server;
    const rank = this.#ranks.get(budget) ?? 0;
    return makeCounterKey({ server, tool, budget, rank, user: this.#options.user?.name ?? "" });
  }
}

function findRecordedUser(user: BudgetUser | undefined): string | undefined {
  return user?.isRecorded === true ? user.name : undefined;
}

// No model reads the answers to an app's calls. So apps are limited only by budgets that forbid calls or name one tool.
function limitsAppCalls({ tool, limit }: Budget): boolean {
  return limit === 0 || (tool !== null && !isWildcard(tool));
}

export function limitsTool({ tool: pattern, limit }: Budget, tool: string): boolean {
  if (pattern === null || matchesWildcard(pattern, tool)) return true;
  // Some servers ignore case and blanks in tool names.
  return limit === 0 && matchesWildcard(foldName(pattern), foldName(tool));
}

function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{C}\s]/gu, "");
}

/** Beyond this many tokens, counting can stop: every budget of tokens or dollars is exceeded. */
export function findLargestLimit(accounts: readonly Account[]): number {
  return Math.max(0, ...accounts.map(computeTokensMax));
}

function computeTokensMax({ budget: { unit, limit }, prices }: Account): number {
  if (unit === "calls") return 0;
  if (!prices) return limit;
  const { argumentToken, answerToken } = prices;
  const cheapest = Math.min(argumentToken, answerToken);
  return findAffordableTokens(limit, 0, { argumentToken: cheapest, answerToken: cheapest });
}

export type CallCost = {
  readonly inputTokens: number; // of the arguments
  readonly toolPrice: number; // in nanodollars, for a call that runs
};

export const noCost: CallCost = { inputTokens: 0, toolPrice: 0 };

type TokenPrices = Pick<CallPrices, "argumentToken" | "answerToken">;

/** In nanodollars, rounded up. `tokens` include the arguments. */
export function priceTokens(
  { tokens, inputTokens }: { readonly tokens: number; readonly inputTokens: number },
  { argumentToken, answerToken }: TokenPrices,
): number {
  const dollars = inputTokens * argumentToken + (tokens - inputTokens) * answerToken;
  return Math.ceil(Number((dollars * nanodollarsPerDollar).toPrecision(15)));
}

// The largest number of tokens, arguments included, that costs at most `amount`.
function findAffordableTokens(amount: number, inputTokens: number, prices: TokenPrices): number {
  const rest = amount - priceTokens({ tokens: inputTokens, inputTokens }, prices);
  if (prices.answerToken === 0) return rest < 0 ? inputTokens - 1 : Number.MAX_SAFE_INTEGER;
  const tokens = inputTokens + Math.floor(rest / (prices.answerToken * nanodollarsPerDollar));
  return priceTokens({ tokens, inputTokens }, prices) > amount ? tokens - 1 : tokens;
}

export type Claim = {
  readonly account: Account;
  readonly cost: CallCost;
  readonly hold: Hold | undefined;
  isBreached: boolean;
  // Charges besides the cost of the answer, in the budget's unit: for unreadable lines that may answer the call, and
  // for earlier deliveries of its result. `release` does not refund extra amounts.
  extraAmount: number;
};

// The amounts that a forwarded call holds in all accounts.
export type Grant = CallCost & {
  mostTokens: number; // the most that the call may turn out to use, arguments included
  readonly claims: Claim[];
};

export function makeGrant(inputTokens: number, toolPrice = 0): Grant {
  return { inputTokens, toolPrice, mostTokens: inputTokens, claims: [] };
}

type PricedBudget = Pick<Account, "budget" | "prices">;

/** The cost of a call with `tokens`, arguments included, in the unit of the budget. */
export function toAmount({ budget, prices }: PricedBudget, tokens: number, cost: CallCost): number {
  if (budget.unit === "tokens") return tokens;
  if (budget.unit === "calls" || !prices) return 1;
  return priceTokens({ tokens, inputTokens: cost.inputTokens }, prices) + cost.toolPrice;
}

// At least 1, so that a full counter also refuses an empty request.
function computeRequestAmount(account: Account, cost: CallCost): number {
  return Math.max(1, toAmount(account, cost.inputTokens, cost));
}

type AskContext = Pick<DecisionContext, "mayAsk" | "nowMs">;

// Both `ask` functions return true if the decision must wait for a store. They ask the stores in parallel.
export function askForRequest(
  accounts: readonly Account[],
  cost: CallCost,
  { mayAsk, nowMs }: AskContext,
): boolean {
  if (!mayAsk) return false;
  const waits = accounts.map((account) => {
    const { action, budget, stored } = account;
    const amount = computeRequestAmount(account, cost);
    if (!action.isEnforcing || amount > budget.limit) return false;
    const isSpent = budget.unit === "calls";
    return stored?.store.mustWaitFor?.(
      { counter: stored.counter, hold: undefined, amount, isSpent },
      nowMs,
    );
  });
  return waits.includes(true);
}

export function askForAnswer(
  reservations: readonly Pick<Claim, "account" | "cost" | "hold" | "extraAmount">[],
  tokens: number,
  { mayAsk, nowMs }: AskContext,
): boolean {
  if (!mayAsk) return false;
  const waits = reservations.map(({ account, cost, hold, extraAmount }) => {
    const { stored } = account;
    if (!stored || !gatesAnswers(account)) return false;
    const amount = toAmount(account, tokens, cost) + extraAmount;
    const need = { counter: stored.counter, hold, amount, isSpent: true };
    return stored.store.mustWaitFor?.(need, nowMs);
  });
  return waits.includes(true);
}

// Always false for a store without `mustWaitFor`: `reserve` gets the exact amounts from such a store at once.
export function fitsLastKnownAmounts(account: Account, cost: CallCost, nowMs: number): boolean {
  const { stored, budget } = account;
  if (!stored?.store.mustWaitFor) return false;
  const { taken } = stored.store.readStanding(stored.counter, nowMs);
  return taken + computeRequestAmount(account, cost) <= budget.limit;
}

export function reserve(
  grant: Grant,
  account: Account,
  nowMs: number,
  isForced = false,
): Claim | undefined {
  const { budget, stored } = account;
  const amount = computeRequestAmount(account, grant);
  if (!stored && !isForced && amount > budget.limit) return undefined;
  const hold = stored?.store.hold(stored.counter, amount, nowMs, isForced);
  if (stored && !hold) return undefined;
  // A forwarded call counts as made even if mcp-meter is killed before the answer.
  if (hold && budget.unit === "calls") stored?.store.settle(hold, amount);
  const claim: Claim = { account, cost: grant, hold, isBreached: false, extraAmount: 0 };
  grant.claims.push(claim);
  return claim;
}

/**
 * Refunds the amounts that the call holds, except extra amounts. If the call ran, it stays charged to budgets of calls,
 * and its tool's price stays charged to budgets of dollars. Unrefunded amounts are charged to the window in which they
 * were held.
 */
export function release({ claims, toolPrice }: Grant, didRun = false): void {
  for (const { account, hold, extraAmount } of claims) {
    if (!hold) continue;
    const { unit } = account.budget;
    if (didRun && unit === "calls") continue;
    const unrefunded = extraAmount + (didRun && unit === "dollars" ? toolPrice : 0);
    if (unrefunded > 0) account.stored?.store.settle(hold, unrefunded);
    else account.stored?.store.release(hold);
  }
}

export function gatesAnswers({ budget, action }: Account): boolean {
  return action.holdsAnswers && budget.unit !== "calls";
}

// Called before delivery: if mcp-meter is killed before it delivers the answer, too much is charged, not too little.
// False if the amount does not fit.
export function spend(claim: Claim, tokens: number, nowMs: number): boolean {
  const { account, cost, hold, extraAmount } = claim;
  const { budget, stored } = account;
  if (budget.unit === "calls") return true;
  const isForced = !gatesAnswers(account);
  const amount = toAmount(account, tokens, cost) + extraAmount;
  if (!stored || !hold) return isForced || amount <= budget.limit;
  return stored.store.resize(hold, amount, nowMs, { isForced, isSpent: true });
}

/** Charges an unreadable line in addition to the call. False if the line does not fit and `isForced` is false. */
export function spendUnreadable(
  claim: Claim,
  tokens: number,
  { nowMs, isForced }: { nowMs: number; isForced: boolean },
): boolean {
  const { account, cost, hold, extraAmount } = claim;
  const { stored, budget } = account;
  const amount = toAmount(account, tokens, noCost);
  const spent = toAmount(account, cost.inputTokens, cost) + extraAmount;
  const fits =
    stored && hold
      ? stored.store.resize(hold, hold.amount + amount, nowMs, { isForced, isSpent: true })
      : isForced || spent + amount <= budget.limit;
  if (fits) claim.extraAmount += amount;
  return fits;
}

export function refundUnreadable(claim: Claim, tokens: number, nowMs: number): void {
  const { account, hold } = claim;
  const amount = toAmount(account, tokens, noCost);
  claim.extraAmount -= amount;
  if (hold) account.stored?.store.resize(hold, hold.amount - amount, nowMs, forcedSpending);
}

const forcedSpending = { isForced: true, isSpent: true };

export function spendAnyway(claim: Claim, tokens: number, nowMs: number): void {
  const { account, cost, hold, extraAmount } = claim;
  if (account.budget.unit === "calls" || !hold) return;
  const amount = toAmount(account, tokens, cost) + extraAmount;
  account.stored?.store.resize(hold, amount, nowMs, forcedSpending);
}

/** The tokens that a call may use, arguments included. */
export function computeRoom({ account, cost, hold, extraAmount }: Claim, nowMs: number): number {
  const { budget, stored, prices } = account;
  const heldForCall = (hold?.amount ?? 0) - extraAmount;
  const room = stored
    ? budget.limit - stored.store.readStanding(stored.counter, nowMs).taken + heldForCall
    : budget.limit - extraAmount;
  return prices ? findAffordableTokens(room - cost.toolPrice, cost.inputTokens, prices) : room;
}
