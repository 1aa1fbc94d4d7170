import { Bill } from "#cost/bill.ts";
import type { Estimator } from "#cost/estimator.ts";
import { countingSliceCharacters } from "#limits.ts";
import type { Counting } from "#tokenizer/tokenizer.ts";

/**
 * Counts that a description of an answer needs, without a long text being counted in one go: `estimator` counts a
 * slice at most, and each text beyond it costs 0 tokens and waits on `bill`. When that is counted, the answer is
 * described again, with counts that are known then.
 */
export class PatientCounts {
  readonly estimator: Estimator;
  readonly bill: Bill;
  readonly #known = new Map<string, number>();
  readonly #waiting = new Set<string>();
  #charactersLeft = countingSliceCharacters;

  constructor(estimator: Estimator) {
    const ask = (text: string): number => this.#ask(text, estimator);
    this.estimator = {
      ...estimator,
      count: ask,
      within: (text, limit) => {
        const tokens = ask(text);
        return tokens <= limit ? tokens : undefined;
      },
    };
    this.bill = new Bill(estimator);
  }

  /** True when texts wait: the description that asked for them is not the answer's. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** The same counts for a bill, of which those that are known are not made again. */
  remembering(estimator: Estimator): Pick<Estimator, "count" | "begin"> {
    const known = this.#known;
    const count = (text: string): number => known.get(text) ?? estimator.count(text);
    const begin = (text: string): Counting =>
      (known.has(text) ? undefined : estimator.begin?.(text)) ?? {
        advance: () => true,
        tokens: count(text),
      };
    return { count, begin };
  }

  #ask(text: string, estimator: Estimator): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // Without slices a count is fast for any text.
    if (!estimator.begin || text.length <= this.#charactersLeft) {
      this.#charactersLeft -= text.length;
      const tokens = estimator.count(text);
      this.#known.set(text, tokens);
      return tokens;
    }
    if (!this.#waiting.has(text)) {
      this.#waiting.add(text);
      this.bill.add(text, (tokens) => {
        this.#known.set(text, tokens);
        this.#waiting.delete(text);
      });
    }
    return 0;
  }
}
