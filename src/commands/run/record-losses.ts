import type { Sink } from "#state/sinks/sink.ts";

/** Lost so far; at the end with those that wait and will hardly be written. */
export type LossCount = (isEnd: boolean) => number;

/** Divides a sink's losses among its sessions: each loss is one session's. */
export class RecordLosses {
  readonly #sink: Pick<Sink, "dropped" | "waiting">;
  #counted = 0;

  constructor(sink: Pick<Sink, "dropped" | "waiting">) {
    this.#sink = sink;
  }

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
