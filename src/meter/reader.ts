import type { ClientProfile } from "./clients.ts";
import type { Conversation } from "./conversation.ts";
import type { Estimator } from "./estimate.ts";
import type { ModelFamily } from "./models.ts";

/** Who reads the traffic in the end: how its tokens are counted and what its client shows it. */
export type Reader = {
  readonly estimator: Estimator;
  readonly family: ModelFamily;
  readonly profile: ClientProfile;
  /** Context window in tokens. */
  readonly windowTokens: number;
  /** Model named by the user. */
  readonly model: string | null;
};

/** Who reads, by what is known of the client so far; chosen anew only when its name becomes known. */
export class ReaderChoice {
  readonly #readerFor: (clientName: string | undefined) => Reader;
  #isFixed = false;
  #chosen: { readonly client: string | undefined; readonly reader: Reader } | undefined;

  constructor(readerFor: (clientName: string | undefined) => Reader) {
    this.#readerFor = readerFor;
  }

  now({ client }: Conversation): Reader {
    if (this.#isFixed && this.#chosen) return this.#chosen.reader;
    if (!this.#chosen || this.#chosen.client !== client?.name) {
      this.#chosen = { client: client?.name, reader: this.#readerFor(client?.name) };
    }
    return this.#chosen.reader;
  }

  /** The same for good: what is judged and what is recorded must be counted alike. */
  fix(conversation: Conversation): Reader {
    const reader = this.now(conversation);
    this.#isFixed = true;
    return reader;
  }
}
