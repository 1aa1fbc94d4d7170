import type { Conversation } from "#calls/conversation.ts";
import type { Reader } from "#cost/reader.ts";

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
