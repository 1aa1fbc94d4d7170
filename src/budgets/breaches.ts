import type { Account } from "./accounts.ts";
import type { Budget } from "./budget.ts";
import type { Call } from "#calls/call.ts";
import type { Claim } from "./grant.ts";
import { refillAt } from "./counter.ts";
import type { BreachRecord, Common, RecordBody } from "#records/record.ts";
import type { RefusalFacts, RefusalReason } from "./refusal-text.ts";
import type { Price } from "./verdict.ts";

/** A call that went beyond something. */
export type Shortage = Price & {
  readonly call: Call;
  readonly tool: string | null;
  readonly reason: RefusalReason;
  readonly didRun: boolean;
  /** False when it passes all the same. */
  readonly isEnforced: boolean;
};

/** Writes down what goes beyond a budget, and what comes near it. */
export class Breaches {
  readonly #warnAtPercent: number;
  #records: RecordBody[] = [];

  constructor(warnAtPercent: number) {
    this.#warnAtPercent = warnAtPercent;
  }

  /** Records since they were last taken. */
  take(): RecordBody[] {
    const records = this.#records;
    if (records.length > 0) this.#records = [];
    return records;
  }

  /** An account has no room for a call. */
  add(account: Account, shortage: Shortage, nowMs: number): RefusalFacts {
    account.breaches += 1;
    const refillMs = refillOf(account, nowMs) - nowMs;
    return this.#add(account.budget, takenOf(account, nowMs), refillMs, shortage);
  }

  /** A call has been asked `times` times in a row before, which are all it may be. */
  addRepeat(times: number, shortage: Omit<Shortage, "reason">): RefusalFacts {
    const reason = "repeated_call" as const;
    return this.#add(repeatsBudget(times), times, Infinity, { ...shortage, reason });
  }

  /** A call is for a tool whose definition is not the locked one. */
  addChanged(shortage: Omit<Shortage, "reason">): RefusalFacts {
    const reason = "definition_changed" as const;
    return this.#add(lockBudget, 0, Infinity, { ...shortage, reason });
  }

  /**
   * What a paid call did to its account: a breach when nobody stopped it, and once an alert when so much
   * is spent.
   */
  look({ account, isBreached }: Claim, call: Call, amount: number, nowMs: number): void {
    const { budget, kept } = account;
    if (account.warned && isBreached) return;
    const spent = kept ? takenOf(account, nowMs) : amount;
    if (!isBreached && amount > 0 && spent > budget.limit) {
      const price: Price = { tokens: amount, sureness: "exactly" };
      const { tool } = call.asked;
      const reason = "answer_over_budget" as const;
      this.add(account, { call, tool, reason, ...price, didRun: true, isEnforced: false }, nowMs);
    }
    const percent = budget.warnAtPercent ?? this.#warnAtPercent;
    if (account.warned || spent * 100 < budget.limit * percent) return;
    account.warned = true;
    this.#records.push({
      type: "alert",
      alert: "budget_warning",
      tool: account.tool,
      budget: budget.spec,
      limit: budget.limit,
      value: spent,
      detail: `${Math.floor((spent / budget.limit) * 100)} % of ${budget.spec} is spent`,
    });
  }

  #add(budget: Budget, spent: number, refillMs: number, shortage: Shortage): RefusalFacts {
    const { call, tool, reason, tokens, sureness, didRun, isEnforced } = shortage;
    const body: Omit<BreachRecord, keyof Common> = {
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
    };
    this.#records.push(body);
    return { name: tool ?? call.method, budget, reason, spent, tokens, sureness, refillMs };
  }
}

/** When the account's counter is full again, in wall-clock ms; Infinity when it will not be. */
export function refillOf({ kept }: Account, nowMs: number): number {
  return kept ? refillAt(kept.counter.per, nowMs) : Infinity;
}

/** Spent and held of an account now; of a limit on each call nothing is saved up. */
function takenOf({ kept }: Account, nowMs: number): number {
  return kept ? kept.book.taken(kept.counter, nowMs) : 0;
}

/** What `--enforce-lock` is among budgets. */
const lockBudget: Budget = {
  spec: "lock",
  tool: null,
  limit: 0,
  unit: "calls",
  per: "session",
  action: "error",
  warnAtPercent: null,
};

/** What `--max-repeats` is among budgets. */
function repeatsBudget(limit: number): Budget {
  return {
    spec: `max-repeats ${limit}`,
    tool: null,
    limit,
    unit: "calls",
    per: "session",
    action: "error",
    warnAtPercent: null,
  };
}
