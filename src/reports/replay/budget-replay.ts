import { windowAt } from "#budgets/counter.ts";
import type { Budget } from "#budgets/budget.ts";
import { replayedCallsMax } from "#limits.ts";
import type { CallRecord } from "#records/record.ts";
import { fitsWildcard } from "#text/wildcard.ts";

/** The effect that a budget would have had on calls that were made without it. */
export type ReplayedBudget = {
  /** The budget as it was written. */
  readonly budget: string;
  readonly action: string;
  /** Calls that the budget applies to. */
  readonly calls: number;
  /** Of these, calls that do not fit the budget. */
  readonly breaches: number;
  /** Tokens of all these calls, and those of them that the model would not have read. */
  readonly tokens: number;
  readonly spared_tokens: number;
};

/** Actions that leave a call as it is: they warn, or wait and then let it pass. */
const passing: ReadonlySet<string> = new Set(["warn", "throttle"]);

/** Actions that shorten an answer to the tokens that are left. */
const shortening: ReadonlySet<string> = new Set(["truncate", "spill"]);

/** A call that some budget may apply to. */
type ReplayedCall = {
  readonly ms: number;
  readonly session: string;
  readonly server: string;
  readonly tool: string | null;
  readonly input: number;
  readonly output: number;
};

/**
 * Plays recorded calls to budgets that they were not under, each budget on its own: what would it have refused, withheld
 * or shortened? A model that is refused may do something else, so the numbers are about these calls only.
 */
export class BudgetReplay {
  readonly #budgets: readonly Budget[];
  readonly #calls: ReplayedCall[] = [];
  #leftOut = 0;

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  /** Calls beyond `replayedCallsMax`, which are in no number. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** A call that was refused is free for a budget. Records may come in any order, each once. */
  add(call: CallRecord): void {
    if (call.outcome === "refused") return;
    const tool = call.method === "tools/call" ? call.tool : null;
    if (!this.#budgets.some((budget) => appliesTo(budget, tool))) return;
    if (this.#calls.length >= replayedCallsMax) {
      this.#leftOut += 1;
      return;
    }
    this.#calls.push({
      ms: Date.parse(call.ts),
      session: call.session_id,
      server: call.server,
      tool,
      input: call.input_tokens,
      output: call.output_tokens,
    });
  }

  /** The result of each budget, in their order. */
  results(): ReplayedBudget[] {
    const calls = this.#calls.toSorted((one, other) => one.ms - other.ms);
    return this.#budgets.map((budget) => replay(budget, calls));
  }
}

function appliesTo({ tool: pattern }: Budget, tool: string | null): boolean {
  return pattern === null || (tool !== null && fitsWildcard(pattern, tool));
}

function replay(budget: Budget, calls: readonly ReplayedCall[]): ReplayedBudget {
  const spent = new Map<string, number>();
  const sums = { calls: 0, breaches: 0, tokens: 0, spared_tokens: 0 };
  for (const call of calls) {
    if (!appliesTo(budget, call.tool)) continue;
    const key = counterKey(budget, call);
    const before = key === undefined ? 0 : (spent.get(key) ?? 0);
    const { isBreach, charged, spared } = outcomeOf(budget, call, budget.limit - before);
    sums.calls += 1;
    sums.breaches += isBreach ? 1 : 0;
    sums.tokens += call.input + call.output;
    sums.spared_tokens += spared;
    if (key !== undefined) spent.set(key, before + charged);
  }
  return { budget: budget.spec, action: budget.action, ...sums };
}

/** The counter that a call is charged to; undefined for a limit per call, which adds up nothing. */
function counterKey(budget: Budget, call: ReplayedCall): string | undefined {
  const { per, tool, isOverall } = budget;
  if (per === "call") return undefined;
  const scope = isOverall ? [] : [call.server, ...(tool === null ? [] : [call.tool])];
  const time = per === "session" ? call.session : windowAt(per, call.ms);
  return JSON.stringify([time, ...scope]);
}

/** The effect of the budget on a call with so much of it left: the charge, and the tokens that it spares. */
function outcomeOf(
  { unit, action }: Budget,
  { input, output }: ReplayedCall,
  left: number,
): { readonly isBreach: boolean; readonly charged: number; readonly spared: number } {
  const cost = unit === "calls" ? 1 : input + output;
  const request = unit === "calls" ? 1 : Math.max(1, input);
  if (cost <= left && request <= left) return { isBreach: false, charged: cost, spared: 0 };
  if (passing.has(action)) return { isBreach: true, charged: cost, spared: 0 };
  if (request <= left && shortening.has(action)) {
    return { isBreach: true, charged: left, spared: cost - left };
  }
  return { isBreach: true, charged: 0, spared: output };
}
