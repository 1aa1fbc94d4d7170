import type { Tell } from "#kit/text/teller.ts";
import type { PageNotes } from "./notes.ts";
import { dashSentences } from "./sentences.ts";

export class CounterOutage {
  readonly #notes: Pick<PageNotes, "outage">;
  readonly #tell: Tell;
  #fault: string | undefined;

  constructor(notes: Pick<PageNotes, "outage">, tell: Tell) {
    this.#notes = notes;
    this.#tell = tell;
  }

  readonly note = (fault: string | undefined): void => {
    const before = this.#fault;
    this.#fault = fault;
    if (before === fault) return;
    this.#notes.outage = fault;
    if (fault === undefined) this.#tell(dashSentences.dashCountersBack());
    else if (before === undefined) this.#tell(dashSentences.dashCountersAway(fault));
  };
}
