import { Bill } from "#tokens/cost/bill.ts";
import type { Estimator } from "#tokens/cost/estimator.ts";
import { countParts } from "#tokens/cost/price.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { Reading } from "#tokens/cost/reading.ts";
import { countingSliceCharacters } from "../limits.ts";
import type { Counting } from "#tokens/tokenizer/tokenizer.ts";

/**
 * Counts that a description of an answer needs, without a long text being counted in one go: a slice is counted at
 * most, and each text beyond it costs 0 tokens and waits on `bill`. When that is counted, the answer is described
 * again, with counts that are known then. Most descriptions need no count, so everything is made when it is needed.
 */
export class PatientCounts {
  readonly #reader: Reader;
  #estimator: Estimator | undefined;
  #bill: Bill | undefined;
  #known: Map<string, number> | undefined;
  #waiting: Set<string> | undefined;
  #charactersLeft = countingSliceCharacters;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  readonly count: Reading["count"] = (parts, enough) =>
    countParts(parts, { ...this.#reader, estimator: this.estimator }, enough);

  get estimator(): Estimator {
    this.#estimator ??= {
      ...this.#reader.estimator,
      count: (text) => this.#ask(text),
      within: (text, limit) => {
        const tokens = this.#ask(text);
        return tokens <= limit ? tokens : undefined;
      },
    };
    return this.#estimator;
  }

  get bill(): Bill {
    this.#bill ??= new Bill(this.#reader.estimator);
    return this.#bill;
  }

  /** True when texts wait: the description that asked for them is not the answer's. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0;
  }

  remembering(): Pick<Estimator, "count" | "begin"> {
    const { estimator } = this.#reader;
    const known = this.#known;
    if (!known) return estimator;
    const count = (text: string): number => known.get(text) ?? estimator.count(text);
    const begin = (text: string): Counting =>
      (known.has(text) ? undefined : estimator.begin?.(text)) ?? {
        advance: () => true,
        tokens: count(text),
      };
    return { count, begin };
  }

  #ask(text: string): number {
    const { estimator } = this.#reader;
    this.#known ??= new Map();
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // Without slices a count is fast for any text.
    if (!estimator.begin || text.length <= this.#charactersLeft) {
      this.#charactersLeft -= text.length;
      const tokens = estimator.count(text);
      this.#known.set(text, tokens);
      return tokens;
    }
    this.#wait(text);
    return 0;
  }

  #wait(text: string): void {
    this.#waiting ??= new Set();
    if (this.#waiting.has(text)) return;
    this.#waiting.add(text);
    this.bill.add(text, (tokens) => {
      this.#known?.set(text, tokens);
      this.#waiting?.delete(text);
    });
  }
}
