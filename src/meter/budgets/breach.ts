import type { Arrival, Call } from "../calls/call.ts";
import { channelMethod } from "#tokens/cost/methods.ts";
import { type BreachRecord, type Common, type RecordBody, validMessages } from "#records/record.ts";
import type { Account, Claim } from "./claim.ts";
import type { Budget } from "./budget.ts";
import { refillAt, localStanding } from "./counter.ts";
import type { Price, RefusalFacts, RefusalReason } from "./decision.ts";

export type Shortage = Price & {
  readonly call: Call;
  readonly tool: string | null;
  readonly reason: RefusalReason;
  readonly didRun: boolean;
  readonly isEnforced: boolean;
  /** The amount that this call itself holds; not counted as spent before it. */
  readonly ownHold?: number;
};

type Breach = { readonly record: RecordBody; readonly facts: RefusalFacts };

export function breachBudget(account: Account, shortage: Shortage, nowMs: number): Breach {
  account.breaches += 1;
  const { budget, stored } = account;
  const refillMs = nextRefill(account, nowMs) - nowMs;
  const standing = stored?.store.standing(stored.counter, nowMs) ?? localStanding(0, 0);
  const isUnknown = !standing.isReachable && shortage.reason === "budget_spent";
  const reason = isUnknown ? "counters_unreachable" : shortage.reason;
  const spent = Math.max(0, standing.taken - (shortage.ownHold ?? 0));
  const facts = { budget, spent, held: standing.held, refillMs };
  return breach({ ...shortage, reason }, facts);
}

export function breachRepeatLimit(times: number, shortage: Shortage): Breach {
  const budget = { ...rule, spec: `max-repeats ${times}`, limit: times };
  return breach(shortage, { budget, spent: times, held: 0, refillMs: Infinity });
}

export function breachLock(shortage: Shortage): Breach {
  const budget = { ...rule, spec: "lock", limit: 0 };
  return breach(shortage, { budget, spent: 0, held: 0, refillMs: Infinity });
}

export function breachConfig(shortage: Shortage): Breach {
  const budget = { ...rule, spec: "on-fault closed", limit: 0 };
  return breach(shortage, { budget, spent: 0, held: 0, refillMs: Infinity });
}

/** Recorded when a line is not exactly one valid message; neither side receives it. */
export function rejectMessage({ from }: Pick<Arrival, "from">): RecordBody {
  const { unit, per, action } = rule;
  const none = { limit: 0, spent: 0, tokens: 0, tool: null, request_id: null };
  const facts = { budget: validMessages, is_enforced: true, did_run: from === "server" };
  return { type: "breach", unit, per, action, ...none, ...facts };
}

/**
 * Records caused by a finished call: a breach if it ran over a limit that does not enforce, and
 * one alert once the warning level is reached.
 */
export function recordsOfSpending(
  { account, isBreached }: Claim,
  spending: { readonly call: Call; readonly amount: number },
  { nowMs, warnAtPercent }: { readonly nowMs: number; readonly warnAtPercent: number },
): RecordBody[] {
  const { budget, stored } = account;
  if (account.warned && isBreached) return [];
  const { call, amount } = spending;
  const spent = stored ? countTaken(account, nowMs) : amount;
  const isOver = !isBreached && amount > 0 && spent > budget.limit;
  const overrun = isOver ? [recordOverrun(account, call, amount, nowMs)] : [];
  const percent = budget.warnAtPercent ?? warnAtPercent;
  if (account.warned || budget.limit === 0 || spent * 100 < budget.limit * percent) return overrun;
  account.warned = true;
  return [...overrun, warning(account, spent)];
}

/** When the counter is back at zero, in wall-clock ms; Infinity if never. */
export function nextRefill({ stored }: Account, nowMs: number): number {
  return stored ? refillAt(stored.counter.per, nowMs) : Infinity;
}

function countTaken({ stored }: Account, nowMs: number): number {
  return stored ? stored.store.standing(stored.counter, nowMs).taken : 0;
}

function recordOverrun(account: Account, call: Call, amount: number, nowMs: number): RecordBody {
  const price: Price = { tokens: amount, sureness: "exactly" };
  const { tool } = call.request;
  const reason = "answer_over_budget";
  const shortage = { call, tool, reason, ...price, didRun: true, isEnforced: false } as const;
  return breachBudget(account, { ...shortage, ownHold: amount }, nowMs).record;
}

function warning({ budget, tool }: Account, spent: number): RecordBody {
  return {
    type: "alert",
    alert: "budget_warning",
    tool,
    budget: budget.spec,
    limit: budget.limit,
    value: spent,
    detail: `${Math.floor((spent * 100) / budget.limit)}% of ${budget.spec} spent`,
  };
}

function breach(
  { call, tool, reason, tokens, sureness, didRun, isEnforced }: Shortage,
  { budget, spent, held, refillMs }: Pick<RefusalFacts, "budget" | "spent" | "held" | "refillMs">,
): Breach {
  const record: Omit<BreachRecord, keyof Common> = {
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
  return { record, facts: { name, budget, reason, spent, held, tokens, sureness, refillMs } };
}

/**
 * Common fields of `--on-fault`, `--enforce-lock` and `--max-repeats`, expressed as a budget.
 */
const rule: Omit<Budget, "spec" | "limit"> = {
  tool: null,
  isOverall: false,
  unit: "calls",
  per: "session",
  action: "error",
  warnAtPercent: null,
};
