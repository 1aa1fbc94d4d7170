import { actions } from "#actions/index.ts";
import { type Account, Accounts } from "#budgets/accounts.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import type { Context } from "#budgets/decision.ts";
import type { Arrival } from "#calls/arrival.ts";
import { Call } from "#calls/call.ts";
import { describeRequest } from "#cost/methods.ts";
import { MemoryCounters } from "#stores/memory.ts";
import { plainReader } from "./plain-reader.ts";

const noon = Date.UTC(2026, 8, 1, 12);

/** A call of `echo` by the client: three tokens as tests count. */
export function echo(): Call {
  const params = { name: "echo", arguments: {} };
  const request = { id: { value: 7 }, method: "tools/call", params, truncated: false };
  const origin = { from: "client", size: 10, atMs: 0 } as const;
  return new Call(request, describeRequest(request.method, params), origin);
}

/** The accounts that `echo` is charged to under these budgets. */
export function accountsFor(...specs: readonly string[]): Account[] {
  const stores = { session: new MemoryCounters(), shared: new MemoryCounters() };
  const budgets = specs.map((spec) => parseBudget(spec, actions));
  return new Accounts({ budgets, actions, stores }, "garden").for(echo());
}

/** The conditions of a decision at noon, with everything counted. */
export function contextAt(told: Partial<Context> = {}): Context {
  return {
    reader: plainReader(undefined),
    nowMs: noon,
    isSettled: true,
    mayHoldMs: 0,
    wasHeld: false,
    mayAsk: false,
    lock: undefined,
    ...told,
  };
}

/** A message of the server that is `size` bytes long and was not forwarded yet. */
export function arrivalOf(size: number, hasPassed = false): Arrival {
  const line = { bytes: undefined, size, skim: undefined };
  return { from: "server", line, item: undefined, size, hasPassed, atMs: 0 };
}
