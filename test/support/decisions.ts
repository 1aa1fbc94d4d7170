import { type Account, Accounts } from "#meter/budgets/accounts.ts";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import type { DecisionContext } from "#meter/budgets/decision.ts";
import type { GateOptions } from "#meter/budgets/gate-options.ts";
import { type Arrival, Call } from "#meter/calls/call.ts";
import { MemoryCounters } from "#state/stores/memory.ts";
import { plainReader } from "./plain-reader.ts";
import { callOf } from "./made-calls.ts";

const noon = Date.UTC(2026, 8, 1, 12);

export function echo(): Call {
  return callOf({ name: "echo", arguments: {} }, { id: 7 });
}

export function gateOf(specs: readonly string[], changes: Partial<GateOptions> = {}): GateOptions {
  return {
    budgets: specs.map((spec) => parseBudget(spec, actions)),
    actions,
    stores: { session: new MemoryCounters(), shared: new MemoryCounters() },
    warnAtPercent: 80,
    repeatsMax: undefined,
    isLockEnforced: false,
    saveAnswer: () => undefined,
    ...changes,
  };
}

export function accountsFor(...specs: readonly string[]): Account[] {
  return new Accounts(gateOf(specs), "garden").list(echo());
}

export function contextAt(changes: Partial<DecisionContext> = {}): DecisionContext {
  return {
    reader: plainReader(undefined),
    nowMs: noon,
    isSettled: true,
    holdMaxMs: 0,
    wasDecidedBefore: false,
    mayAsk: false,
    lock: undefined,
    ...changes,
  };
}

export function arrivalOf(size: number, hasPassed = false): Arrival {
  const line = { bytes: undefined, size, skim: undefined };
  return { from: "server", line, item: undefined, size, hasPassed, atMs: 0 };
}
