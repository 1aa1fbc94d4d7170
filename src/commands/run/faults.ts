import type { Tell } from "#kit/text/teller.ts";

/** `sentence` is for the person, `what` for records: empty when a failure is over. */
export type ReportFault = (sentence: string, what: string, where?: string) => void;

type Fault = { readonly where: string; readonly what: string };

export class Faults {
  readonly #tell: Tell;
  readonly #waiting: Fault[] = [];
  #record: ((fault: Fault) => void) | undefined;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  readonly report: ReportFault = (sentence, what, where = "budget counters") => {
    this.#tell(sentence);
    if (what !== "") this.note(where, what);
  };

  note(where: string, what: string): void {
    if (this.#record) this.#record({ where, what });
    else this.#waiting.push({ where, what });
  }

  recordWith(record: (fault: Fault) => void): void {
    this.#record = record;
    for (const fault of this.#waiting.splice(0)) record(fault);
  }
}
