import type { Call, Arrival } from "../calls/call.ts";
import {
  type RecordBody,
  type BreachRecord,
  type CommonMembers,
  validMessagesRule,
} from "#records/record.ts";
import { type Account, toAmount, type CallCost, noCost } from "./accounts.ts";
import type { Budget } from "./budget.ts";
import type { RefusalReason, TokenCount, RefusalFacts } from "./decision.ts";
import { channelMethod } from "#tokens/cost/describe-calls.ts";
import { makeStanding, toShownAmount } from "./counter.ts";
import { computeRefill } from "./windows.ts";

export type Shortage = TokenCount & {
  readonly cost?: CallCost;
  readonly call: Call;
  readonly tool: string | null;
  readonly reason: RefusalReason;
  readonly didRun: boolean;
  readonly isEnforced: boolean;
  readonly ownHold?: number; // held or spent for this call; the recorded `spent` leaves it out
  readonly amount?: number;
  readonly usualTokens?: number | undefined;
};

type Breach = { readonly record: RecordBody; readonly facts: RefusalFacts };

export function recordBudgetBreach(account: Account, shortage: Shortage, nowMs: number): Breach {
  account.breaches += 1;
  const { budget, stored } = account;
  const refillMs = computeNextRefill(account, nowMs) - nowMs;
  const standing = stored?.store.readStanding(stored.counter, nowMs) ?? makeStanding(0, 0);
  const isUnreachable = !standing.mayGrant && shortage.reason === "budget_spent";
  const reason = isUnreachable ? "counters_unreachable" : shortage.reason;
  const spent = Math.max(0, standing.taken - (shortage.ownHold ?? 0));
  const { tokens, cost = noCost } = shortage;
  const amount = shortage.amount ?? toAmount(account, tokens, cost);
  const budgetFacts = { budget, spent, held: standing.held, amount, refillMs };
  const { record, facts } = makeBreach({ ...shortage, reason }, budgetFacts);
  return { record: { ...record, ...makeUserMember(account) }, facts };
}

export function recordRuleBreach(spec: string, limit: number, shortage: Shortage): Breach {
  const budget = { ...ruleBudget, spec, limit };
  return makeBreach(shortage, { budget, spent: limit, held: 0, refillMs: Infinity });
}

/** For a withheld line that is not exactly one valid message. */
export function recordUnclearMessage({ from }: Pick<Arrival, "from">): RecordBody {
  const { unit, per, action } = ruleBudget;
  const amounts = { limit: 0, spent: 0, tokens: 0 };
  const call = { tool: null, request_id: null, is_enforced: true, did_run: from === "server" };
  return { type: "breach", budget: validMessagesRule, unit, per, action, ...amounts, ...call };
}

export type Spending = { readonly call: Call; readonly amount: number; readonly tokens: number };

export function computeNextRefill({ stored }: Account, nowMs: number): number {
  return stored ? computeRefill(stored.counter.per, nowMs) : Infinity;
}

export function recordOverrun(
  account: Account,
  { call, amount, tokens }: Spending,
  nowMs: number,
): RecordBody {
  const isTokens = account.budget.unit === "tokens";
  const count: TokenCount = { tokens: isTokens ? amount : tokens, precision: "exactly" };
  const { tool } = call.request;
  const outcome = { reason: "answer_over_budget", didRun: true, isEnforced: false } as const;
  const shortage = { call, tool, ...count, ...outcome, amount, ownHold: amount };
  return recordBudgetBreach(account, shortage, nowMs).record;
}

export function makeUserMember({ user }: Account): { readonly user?: string } {
  return user === undefined ? {} : { user };
}

function makeBreach(
  { call, tool, reason, tokens, precision, didRun, isEnforced, usualTokens }: Shortage,
  budgetFacts: Pick<RefusalFacts, "budget" | "spent" | "held" | "amount" | "refillMs">,
): Breach {
  const { budget, spent, amount } = budgetFacts;
  const { unit } = budget;
  const record: Omit<BreachRecord, keyof CommonMembers> = {
    type: "breach",
    budget: budget.spec,
    limit: toShownAmount(unit, budget.limit),
    unit,
    per: budget.per,
    spent: toShownAmount(unit, spent),
    tokens,
    ...(unit === "dollars" ? { cost_usd: toShownAmount(unit, amount ?? 0) } : {}),
    action: budget.action,
    is_enforced: isEnforced,
    did_run: didRun,
    tool,
    request_id: call.recordedId,
    ...(call.method === channelMethod ? { method: channelMethod } : {}),
  };
  const name = tool ?? call.method;
  return { record, facts: { name, reason, tokens, precision, usualTokens, ...budgetFacts } };
}

// Breaches of other rules, such as `--enforce-lock` and `--max-repeats`, are recorded like breaches of a budget.
const ruleBudget: Omit<Budget, "spec" | "limit"> = {
  tool: null,
  isOverall: false,
  unit: "calls",
  per: "session",
  owner: "fleet",
  action: "error",
  warnAtPercent: null,
};
