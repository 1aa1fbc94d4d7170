import type { ReportFailure } from "#stores/index.ts";
import type { Tell } from "#text/teller.ts";

/** Failures of the budget counters: each is reported at once, and recorded as soon as there are records. */
export class Faults {
  readonly #tell: Tell;
  readonly #waiting: string[] = [];
  #record: ((what: string) => void) | undefined;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** `what` is empty when a failure is over, which needs no record. */
  readonly report: ReportFailure = (sentence, what) => {
    this.#tell(sentence);
    if (what === "") return;
    if (this.#record) this.#record(what);
    else this.#waiting.push(what);
  };

  recordWith(record: (what: string) => void): void {
    this.#record = record;
    for (const what of this.#waiting.splice(0)) record(what);
  }
}
