import type { Call } from "#calls/call.ts";
import { asItIs } from "#calls/carrier.ts";
import type { Instant } from "#calls/instant.ts";
import type { Closed } from "#calls/transition.ts";
import type { Reader } from "#cost/reader.ts";
import { annotate, annotateOwn } from "./annotation.ts";
import type { AnswerPlace, OurAnswer } from "./refusal.ts";

/** Adds the cost of the client's calls to the results that it gets, the server's and ours. */
export class Annotator {
  readonly #reader: () => Reader;

  constructor(reader: () => Reader) {
    this.#reader = reader;
  }

  /** The line of a server's answer with its cost; undefined for one that is left alone. */
  theirs({ call, closing, answer }: Closed): Uint8Array | undefined {
    if (answer?.carrier !== asItIs || call.from !== "client") return undefined;
    return annotate(call, closing, answer.arrival, this.#reader());
  }

  /** Our answer with its cost; as it is where it is left alone. */
  ours(call: Call, ours: OurAnswer, { arrival, carrier }: AnswerPlace, at: Instant): OurAnswer {
    if (carrier !== asItIs || call.from !== "client" || !("result" in ours)) return ours;
    const priced = { result: ours.result, endedMs: at.monoMs };
    return { result: annotateOwn(call, priced, arrival, this.#reader()) };
  }
}
