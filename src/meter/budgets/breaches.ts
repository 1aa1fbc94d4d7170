import type { Call, Arrival } from "../calls/call.ts";
import {
  type RecordBody,
  type BreachRecord,
  type CommonMembers,
  validMessages,
} from "#records/record.ts";
import type { Account, Claim } from "./accounts.ts";
import type { Budget } from "./budget.ts";
import type { RefusalReason, Price, RefusalFacts } from "./decision.ts";
import { channelMethod } from "#tokens/cost/methods.ts";
import { makeStanding } from "./counter.ts";
import { computeRefill } from "./windows.ts";

export type Shortage = Price & {
  readonly call: Call;
  readonly tool: string | null;
  readonly reason: RefusalReason;
  readonly didRun: boolean;
  readonly isEnforced: boolean;
  readonly ownHold?: number;
  readonly usualTokens?: number | undefined;
};

type Breach = { readonly record: RecordBody; readonly facts: RefusalFacts };

export function breachBudget(account: Account, shortage: Shortage, nowMs: number): Breach {
  account.breaches += 1;
  const { budget, stored } = account;
  const refillMs = computeNextRefill(account, nowMs) - nowMs;
  const standing = stored?.store.standing(stored.counter, nowMs) ?? makeStanding(0, 0);
  const isUnreachable = !standing.isReachable && shortage.reason === "budget_spent";
  const reason = isUnreachable ? "counters_unreachable" : shortage.reason;
  const spent = Math.max(0, standing.taken - (shortage.ownHold ?? 0));
  const facts = { budget, spent, held: standing.held, refillMs };
  return makeBreach({ ...shortage, reason }, facts);
}

export function breachRule(spec: string, limit: number, shortage: Shortage): Breach {
  const budget = { ...ruleBudget, spec, limit };
  return makeBreach(shortage, { budget, spent: limit, held: 0, refillMs: Infinity });
}

/** For a line that is not exactly one valid message; neither side receives it. */
export function recordUnclearMessage({ from }: Pick<Arrival, "from">): RecordBody {
  const { unit, per, action } = ruleBudget;
  const none = { limit: 0, spent: 0, tokens: 0, tool: null, request_id: null };
  const facts = { budget: validMessages, is_enforced: true, did_run: from === "server" };
  return { type: "breach", unit, per, action, ...none, ...facts };
}

/** Records a breach that was not prevented, and once an alert at the warning level. */
export function recordSpending(
  { account, isBreached }: Claim,
  spending: { readonly call: Call; readonly amount: number },
  { nowMs, warnAtPercent }: { readonly nowMs: number; readonly warnAtPercent: number },
): RecordBody[] {
  const { budget, stored } = account;
  if (account.warned && isBreached) return [];
  const { call, amount } = spending;
  const spent = stored ? readTaken(account, nowMs) : amount;
  const isOver = !isBreached && amount > 0 && spent > budget.limit;
  const overrun = isOver ? [recordOverrun(account, call, amount, nowMs)] : [];
  const percent = budget.warnAtPercent ?? warnAtPercent;
  if (account.warned || budget.limit === 0 || spent * 100 < budget.limit * percent) return overrun;
  account.warned = true;
  return [...overrun, makeWarning(account, spent)];
}

export function computeNextRefill({ stored }: Account, nowMs: number): number {
  return stored ? computeRefill(stored.counter.per, nowMs) : Infinity;
}

function readTaken({ stored }: Account, nowMs: number): number {
  return stored ? stored.store.standing(stored.counter, nowMs).taken : 0;
}

function recordOverrun(account: Account, call: Call, amount: number, nowMs: number): RecordBody {
  const price: Price = { tokens: amount, sureness: "exactly" };
  const { tool } = call.request;
  const reason = "answer_over_budget";
  const shortage = { call, tool, reason, ...price, didRun: true, isEnforced: false } as const;
  return breachBudget(account, { ...shortage, ownHold: amount }, nowMs).record;
}

function makeWarning({ budget, tool }: Account, spent: number): RecordBody {
  const use = budget.per === "call" ? "used by one call" : "spent";
  return {
    type: "alert",
    alert: "budget_warning",
    tool,
    budget: budget.spec,
    limit: budget.limit,
    value: spent,
    detail: `${Math.floor((spent * 100) / budget.limit)}% of ${budget.spec} ${use}`,
  };
}

function makeBreach(
  { call, tool, reason, tokens, sureness, didRun, isEnforced, usualTokens }: Shortage,
  { budget, spent, held, refillMs }: Pick<RefusalFacts, "budget" | "spent" | "held" | "refillMs">,
): Breach {
  const record: Omit<BreachRecord, keyof CommonMembers> = {
    type: "breach",
    budget: budget.spec,
    limit: budget.limit,
    unit: budget.unit,
    per: budget.per,
    spent,
    tokens,
    action: budget.action,
    is_enforced: isEnforced,
    did_run: didRun,
    tool,
    request_id: call.recordedId,
    ...(call.method === channelMethod ? { method: channelMethod } : {}),
  };
  const name = tool ?? call.method;
  const standing = { spent, held, refillMs };
  return { record, facts: { name, budget, reason, tokens, sureness, usualTokens, ...standing } };
}

// `--on-fault`, `--enforce-lock` and `--max-repeats` are reported as breaches of this budget.
const ruleBudget: Omit<Budget, "spec" | "limit"> = {
  tool: null,
  isOverall: false,
  unit: "calls",
  per: "session",
  action: "error",
  warnAtPercent: null,
};
