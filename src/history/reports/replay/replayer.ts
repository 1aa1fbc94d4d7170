import type { Budget } from "#meter/budgets/budget.ts";
import { windowAt } from "#meter/budgets/counter.ts";
import { refusalTokensMost } from "#kit/limits.ts";
import type { NumberedCall } from "./call-columns.ts";

export type ReplayedBudget = {
  readonly budget: string;
  readonly action: string;
  readonly calls: number;
  readonly breaches: number;
  readonly tokens: number;
  /** Below zero where refusals cost more. */
  readonly spared_tokens: number;
};

/** They warn, or wait and then let the call pass. */
const passing: ReadonlySet<string> = new Set(["warn", "throttle"]);

const shortening: ReadonlySet<string> = new Set(["truncate", "spill"]);

const scopeStep = 2 ** 22;

export class Replayer {
  readonly #budget: Budget;
  readonly #spent = new Map<number, number>();
  readonly #sums = { calls: 0, breaches: 0, tokens: 0, spared_tokens: 0 };

  constructor(budget: Budget) {
    this.#budget = budget;
  }

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

  #keyOf({ session, ms }: NumberedCall, scope: number): number | undefined {
    const { per } = this.#budget;
    if (per === "call") return undefined;
    const time = per === "session" ? session : windowAt(per, ms);
    return time * scopeStep + scope;
  }

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
