import type { Budget } from "#budgets/budget.ts";
import { windowAt } from "#budgets/counter.ts";
import { refusalTokensMost } from "#limits/records.ts";
import type { NumberedCall } from "./call-columns.ts";

/** The effect that a budget would have had on calls that were made without it. */
export type ReplayedBudget = {
  /** The budget as it was written. */
  readonly budget: string;
  readonly action: string;
  /** Calls that the budget applies to. */
  readonly calls: number;
  /** Of these, calls that do not fit the budget. */
  readonly breaches: number;
  /** Tokens of all these calls, and those that the budget would have spared: less than zero where refusals cost more. */
  readonly tokens: number;
  readonly spared_tokens: number;
};

/** Actions that leave a call as it is: they warn, or wait and then let it pass. */
const passing: ReadonlySet<string> = new Set(["warn", "throttle"]);

/** Actions that shorten an answer to the tokens that are left. */
const shortening: ReadonlySet<string> = new Set(["truncate", "spill"]);

/** More than there are scopes: each has a call. */
const scopeStep = 2 ** 22;

/** Plays calls to one budget, in the order of their times. */
export class Replayer {
  readonly #budget: Budget;
  /** Spent by counter and window. */
  readonly #spent = new Map<number, number>();
  readonly #sums = { calls: 0, breaches: 0, tokens: 0, spared_tokens: 0 };

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Charges a call to the counter of a scope. */
  play(call: NumberedCall, scope: number): void {
    const key = this.#keyOf(call, scope);
    const before = key === undefined ? 0 : (this.#spent.get(key) ?? 0);
    this.#sums.calls += 1;
    this.#sums.tokens += call.input + call.output;
    const charged = this.#charge(call, this.#budget.limit - before);
    if (key !== undefined) this.#spent.set(key, before + charged);
  }

  result(): ReplayedBudget {
    return { budget: this.#budget.spec, action: this.#budget.action, ...this.#sums };
  }

  /** The counter that a call is charged to; undefined for a limit per call, which adds up nothing. */
  #keyOf({ session, ms }: NumberedCall, scope: number): number | undefined {
    const { per } = this.#budget;
    if (per === "call") return undefined;
    const time = per === "session" ? session : windowAt(per, ms);
    return time * scopeStep + scope;
  }

  /** Counts the effect on a call with that much left; returns the amount that it is charged. */
  #charge({ input, output, counted }: NumberedCall, left: number): number {
    const { unit, action } = this.#budget;
    const cost = unit === "calls" ? 1 : counted;
    const request = unit === "calls" ? 1 : Math.max(1, input);
    if (cost <= left && request <= left) return cost;
    this.#sums.breaches += 1;
    if (passing.has(action)) return cost;
    const isShortened = request <= left && shortening.has(action);
    const room = isShortened ? left - input : 0;
    // The model reads a refusal, or the note of a shortened answer; the arguments were written all the same.
    if (!isShortened || output > room) {
      this.#sums.spared_tokens += output - Math.max(room, refusalTokensMost);
    }
    return isShortened ? left : 0;
  }
}
