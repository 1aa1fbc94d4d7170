import type { Sink } from "#sinks/sink.ts";

/** The records of one session that are lost so far; at its end with those that wait and will hardly be written. */
export type LossCount = (isEnd: boolean) => number;

/** Divides the records that a sink has lost among the sessions that write to it: each loss is one session's. */
export class RecordLosses {
  readonly #sink: Pick<Sink, "dropped" | "waiting">;
  #counted = 0;

  constructor(sink: Pick<Sink, "dropped" | "waiting">) {
    this.#sink = sink;
  }

  /** Counts for one session. */
  share(): LossCount {
    let own = 0;
    return (isEnd) => {
      const { dropped, waiting } = this.#sink;
      own += dropped - this.#counted;
      this.#counted = dropped;
      return own + (isEnd ? waiting : 0);
    };
  }
}
