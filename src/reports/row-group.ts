import { addCosts, type CostRange, noCost } from "#money/call-cost.ts";
import type { UsageFact } from "./cube.ts";
import { addSums, callTokens, contextTokens, noSums, type Sums } from "./sums.ts";
import type { Measures } from "./usage-report.ts";

/** Facts added up. Those of one session must come one after the other. */
export class RowGroup {
  readonly #sums: Sums = noSums();
  #sessions = 0;
  #newestSession: string | undefined;
  /** Undefined when prices are not wanted, null without a price. */
  #cost: CostRange | null | undefined;

  add({ session, sums, cost }: UsageFact): void {
    if (cost !== undefined)
      this.#cost = cost ? addCosts(this.#cost ?? noCost, cost) : (this.#cost ?? null);
    addSums(this.#sums, sums);
    if (session.id !== this.#newestSession) this.#sessions += 1;
    this.#newestSession = session.id;
  }

  /** True without a call and without definitions. */
  get isEmpty(): boolean {
    return this.#sums.calls === 0 && this.#sums.definition_lists === 0;
  }

  get contextTokens(): number {
    return contextTokens(this.#sums);
  }

  /** `allTokens` are the context tokens of the whole block. */
  measures(allTokens: number): Measures {
    const tokens = this.contextTokens;
    return {
      sessions: this.#sessions,
      ...this.#sums,
      total_tokens: callTokens(this.#sums),
      context_tokens: tokens,
      share: allTokens === 0 ? 0 : tokens / allTokens,
      ...(this.#cost === undefined ? {} : { cost_usd: this.#cost }),
    };
  }
}
