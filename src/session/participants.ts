import { type Conversation, strangers, withClient, withServer } from "#calls/conversation.ts";
import type { Reader } from "#cost/reader.ts";
import type { ClientIntroduction, ServerIntroduction } from "#wire/introduction.ts";

/** Client and server, as far as their messages say, and the reader of the answers that follows from them. */
export class Participants {
  readonly #readerFor: (clientName: string | undefined) => Reader;
  #conversation: Conversation = strangers;
  #isFixed = false;
  #chosen: { readonly client: string | undefined; readonly reader: Reader } | undefined;

  constructor(readerFor: (clientName: string | undefined) => Reader) {
    this.#readerFor = readerFor;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isModern(): boolean {
    return this.#conversation.era === "modern";
  }

  /** The reader that the client's name calls for; chosen when first asked for and when the name changes. */
  get reader(): Reader {
    const client = this.#conversation.client?.name;
    if (!this.#chosen || (!this.#isFixed && this.#chosen.client !== client)) {
      this.#chosen = { client, reader: this.#readerFor(client) };
    }
    return this.#chosen.reader;
  }

  /** Keeps the reader from now on: budgets and records must count alike. */
  fixReader(): Reader {
    const { reader } = this;
    this.#isFixed = true;
    return reader;
  }

  /**
   * The client introduced itself, once more or for the first time. True when it named itself after the reader was fixed
   * for a client without a name: from now on its own profile holds. The estimator stays, so that one session is counted
   * in one way.
   */
  meetClient(introduction: ClientIntroduction): boolean {
    const before = this.#conversation.client;
    this.#conversation = withClient(this.#conversation, introduction);
    const { client } = this.#conversation;
    const isLate = this.#isFixed && before === undefined && client !== undefined;
    if (isLate && this.#chosen) {
      const { profile } = this.#readerFor(client.name);
      this.#chosen = { client: client.name, reader: { ...this.#chosen.reader, profile } };
    }
    return isLate;
  }

  /** The server introduced itself; true when it brought other instructions. */
  meetServer(introduction: ServerIntroduction): boolean {
    const { instructions } = this.#conversation;
    this.#conversation = withServer(this.#conversation, introduction);
    return this.#conversation.instructions !== instructions;
  }
}
