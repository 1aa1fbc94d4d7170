import type { Countable } from "#tokens/cost/countable.ts";
import type { Common, MeterRecord } from "#records/record.ts";
import type { Draft, Shown } from "./draft.ts";
import type { PatientCounts } from "./patient-counts.ts";

export class LateDraft implements Draft {
  readonly isLate = true;
  readonly #counts: PatientCounts;
  /** Dropped when the draft has begun: it holds the messages of the call. */
  #begin: (() => Draft | undefined) | undefined;
  #draft: Draft | undefined;

  constructor(counts: PatientCounts, begin: () => Draft | undefined) {
    this.#counts = counts;
    this.#begin = begin;
  }

  get bill(): Countable {
    const current = (): Countable => this.#draft?.bill ?? this.#counts.bill;
    return {
      get charactersLeft() {
        return current().charactersLeft;
      },
      advance: (workMax) => {
        const done = current().advance(workMax);
        this.#tryToBegin();
        return done;
      },
      settleByLength: () => {
        const hadRest = !this.#draft;
        while (!this.#draft) {
          this.#counts.bill.settleByLength();
          this.#tryToBegin();
        }
        return this.#draft.bill.settleByLength() || hadRest;
      },
    };
  }

  get shown(): Shown | undefined {
    return this.#draft?.shown;
  }

  finish(common: Common, isUnread: boolean): MeterRecord {
    if (!this.#draft) throw new Error("The draft of a call was finished before it began");
    return this.#draft.finish(common, isUnread);
  }

  #tryToBegin(): void {
    if (this.#counts.isWaiting || !this.#begin) return;
    this.#draft = this.#begin();
    if (this.#draft) this.#begin = undefined;
  }
}
