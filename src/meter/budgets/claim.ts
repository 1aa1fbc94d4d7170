import { nameCharactersMax, toolRowsMax, exactCountCharacters } from "#kit/limits.ts";
import type { Call } from "../calls/call.ts";
import type { BudgetState } from "#records/record.ts";
import { matchesWildcard, isWildcard } from "#kit/text/match-names.ts";
import type { Action, Context, Price } from "./decision.ts";
import type { Budget } from "./budget.ts";
import type { Counter, CounterStore, Hold } from "./counter.ts";
import type { GateOptions } from "./gate-options.ts";
import { listInputTexts } from "#tokens/cost/methods.ts";
import {
  boundCeiling,
  type Ceiling,
  countCeilingCharacters,
  countCeiling,
} from "#tokens/cost/ceiling.ts";
import {
  readingBytesBase,
  readingBytesPerByte,
} from "#tokens/cost/client-profiles/unknown-readings.ts";
import { countParts, countTexts } from "#tokens/cost/count-parts.ts";
import type { Reader } from "#tokens/cost/reader.ts";

export type Account = {
  readonly budget: Budget;
  readonly action: Action;
  readonly tool: string | null;
  readonly stored: { readonly counter: Counter; readonly store: CounterStore } | undefined;
  breaches: number;
  largest: number;
  warned: boolean;
};

/** Tools beyond `toolRowsMax` share one account per budget. */
const otherTools = "(other)";

const unreadTool = "(unread)";

export class Accounts {
  readonly #options: Pick<GateOptions, "budgets" | "actions" | "stores">;
  /** Prefix of shared counter keys: servers do not share counters. */
  readonly #server: string;
  readonly #accounts = new Map<string, Account>();

  constructor(options: Pick<GateOptions, "budgets" | "actions" | "stores">, server: string) {
    this.#options = options;
    this.#server = server;
  }

  /** A call without a readable name (null) is charged to every tool, so it evades no budget. */
  for(call: Call, toolName: string | null = call.request.tool): Account[] {
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

  states(nowMs: number): BudgetState[] {
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

/** No model reads a page's calls, but a budget that forbids or names the tool still applies. */
function limitsPages({ tool, limit }: Budget): boolean {
  return limit === 0 || (tool !== null && !isWildcard(tool));
}

/** Some servers ignore case and blanks in tool names. */
function isForbidden({ limit }: Budget, pattern: string, named: string): boolean {
  return limit === 0 && matchesWildcard(foldName(pattern), foldName(named));
}

function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{C}\s]/gu, "");
}

/** Two budgets for one tool never share a counter. `server` is null for all servers together. */
function makeCounterKey(budget: Budget, tool: string | null, server: string | null): string {
  const { tool: pattern, unit, per, action } = budget;
  return JSON.stringify([server, tool, pattern, unit, per, action]);
}

function makeAccountKey(budget: Budget, tool: string | null): string {
  return makeCounterKey(budget, tool, budget.isOverall ? null : "");
}

export type Claim = {
  readonly account: Account;
  readonly hold: Hold | undefined;
  isBreached: boolean;
  /** Tokens of unreadable lines that may be this call's answer; never refunded. */
  unreadable: number;
};

export type Grant = {
  readonly input: number;
  most: number;
  readonly claims: Claim[];
};

export function newGrant(input: number): Grant {
  return { input, most: input, claims: [] };
}

/** At least 1 token, so that a full counter refuses an empty request too. */
function countRequestAmount({ budget }: Account, input: number): number {
  return budget.unit === "tokens" ? Math.max(1, input) : 1;
}

type AskingContext = Pick<Context, "mayAsk" | "nowMs">;

/** For counters that cannot answer at once: true when the decision must wait for them. */
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

export function fitsAsKnown(account: Account, { input }: Grant, nowMs: number): boolean {
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

/** Spends before delivery, so that a kill in between charges too much rather than too little. */
export function spend(claim: Claim, tokens: number, nowMs: number): boolean {
  const { account, hold, unreadable } = claim;
  const { budget, stored } = account;
  if (budget.unit === "calls") return true;
  const isForced = !gatesAnswers(account);
  const amount = tokens + unreadable;
  if (!stored || !hold) return isForced || amount <= budget.limit;
  return stored.store.resize(hold, amount, nowMs, { isForced, isSpent: true });
}

/** Spends an unreadable line on top of the call's `input`; false without room, unless forced. */
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

export function roomFor({ account, hold, unreadable }: Claim, nowMs: number): number {
  const { budget, stored } = account;
  const ownHold = (hold?.amount ?? 0) - unreadable;
  if (!stored) return budget.limit - unreadable;
  return budget.limit - stored.store.standing(stored.counter, nowMs).taken + ownHold;
}

export type Answer = {
  /** Everything the model may read; undefined when the line was too long to parse. */
  readonly ceiling: Ceiling | undefined;
  readonly isMost: boolean;
  readonly bytes: number;
};

export function requestPrice(call: Call, limit: number, reader: Reader): Price {
  if (call.truncated) return { tokens: boundBytes(call.inputBytes, reader), sureness: "at most" };
  const { media = [] } = call.request;
  const input = listInputTexts(call.request, reader.estimator);
  const enough = computeEnough(countCharacters(input), limit);
  const tokens = countTexts(input, reader, enough) + countParts(media, reader);
  return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
}

/** Texts count as the model reads them: a number such as 1e20 grows when reserialised. */
export function answerBound({ bytes, ceiling }: Omit<Answer, "isMost">, reader: Reader): number {
  if (ceiling) return boundCeiling(ceiling, reader);
  return reader.profile.isUnknown ? lineCeiling(bytes, reader) : boundBytes(bytes, reader);
}

export function answerPrice(answer: Answer, limit: number, reader: Reader): Price {
  const { ceiling, isMost } = answer;
  const bound = (): Price => ({ tokens: answerBound(answer, reader), sureness: "at most" });
  if (!ceiling) return bound();
  const enough = computeEnough(countCeilingCharacters(ceiling), limit);
  const tokens = countCeiling(ceiling, reader, enough);
  if (!isMost) return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
  return tokens > enough ? bound() : { tokens, sureness: "at most" };
}

export function lineCeiling(bytes: number, { estimator }: Reader): number {
  const mostBytes = bytes * readingBytesPerByte + readingBytesBase;
  return Math.ceil(mostBytes * estimator.tokensPerTextByteMax);
}

function boundBytes(bytes: number, { estimator }: Reader): number {
  return Math.ceil(bytes * estimator.tokensPerLineByteMax);
}

function computeEnough(characters: number, limit: number): number {
  return characters <= exactCountCharacters ? Infinity : limit;
}

function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Above this, counting can stop: every token budget is exceeded. */
export function largestLimit(accounts: readonly Account[]): number {
  const limits = accounts.map(({ budget }) => (budget.unit === "tokens" ? budget.limit : 0));
  return Math.max(0, ...limits);
}
