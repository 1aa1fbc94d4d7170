import { reportEstimatorsMax, reportSessionsMax } from "#kit/limits.ts";
import type { PriceBook } from "./money/price-book.ts";
import { Ledger } from "./ledger.ts";
import type { MeterRecord } from "./record.ts";
import type { Summary } from "./summary.ts";

/** Tokens that were counted in different ways are never added up. The session's own record names the estimator first. */
export class Ledgers {
  readonly #prices: PriceBook | undefined;
  readonly #ledgers = new Map<string, Ledger>();
  readonly #estimators = new Map<string, string>();
  #leftOut = 0;

  constructor(prices?: PriceBook) {
    this.#prices = prices;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  add(record: MeterRecord): void {
    if (record.type === "session") this.#follow(record.session_id, record.estimator);
    const ledger = this.#ledgerFor(this.#estimators.get(record.session_id) ?? unknown);
    if (ledger) ledger.add(record);
    else this.#leftOut += 1;
  }

  summarize(): Summary[] {
    return [...this.#ledgers.values()].map((ledger) => ledger.summarize());
  }

  #follow(sessionId: string, estimator: string): void {
    this.#estimators.set(sessionId, estimator);
    const [oldest] = this.#estimators.keys();
    if (this.#estimators.size > reportSessionsMax && oldest !== undefined) {
      this.#estimators.delete(oldest);
    }
  }

  #ledgerFor(estimator: string): Ledger | undefined {
    const known = this.#ledgers.get(estimator);
    if (known || this.#ledgers.size >= reportEstimatorsMax) return known;
    const added = new Ledger(this.#prices);
    this.#ledgers.set(estimator, added);
    return added;
  }
}

/** Without a session record. No estimator has an empty id. */
const unknown = "";
