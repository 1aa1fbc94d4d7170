import { HttpFault } from "#http1/http-fault.ts";
import { Leaving } from "#http1/leaving.ts";
import type { ClientRequest } from "./client-request.ts";
import type { RequestHead } from "./request-head.ts";
import type { RequestReader } from "./request-reader.ts";

/** A request from its head to the end of its answer. */
export class OpenRequest implements ClientRequest {
  readonly head: RequestHead;
  readonly leaving = new Leaving();
  readonly #reader: RequestReader;
  readonly #sendWord: () => void;
  #body: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #isWanted = false;
  /** True when all of its answer was written. */
  isAnswered = false;
  #isAnswering = false;

  /** `sendWord` asks a client that waits for its body. */
  constructor(head: RequestHead, reader: RequestReader, sendWord: () => void) {
    this.head = head;
    this.#reader = reader;
    this.#sendWord = sendWord;
  }

  get method(): string {
    return this.head.method;
  }

  /** True when its answer has begun. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  get url(): URL {
    return this.head.url;
  }

  get headers(): Headers {
    return this.head.headers;
  }

  /** True where the client may never send its body, so that no request can be found behind it. */
  get isStuck(): boolean {
    return this.head.awaitsWord && !this.#isWanted && !this.#reader.isComplete;
  }

  readonly body: ClientRequest["body"] = (grow) => {
    this.#isWanted = true;
    if (grow) this.#reader.grow = grow;
    if (this.#reader.isComplete) return Promise.resolve(this.#reader.body);
    if (this.leaving.hasLeft) return Promise.reject(new HttpFault("ECONNRESET"));
    if (!this.#body && this.head.awaitsWord) this.#sendWord();
    this.#body ??= Promise.withResolvers();
    return this.#body.promise;
  };

  /** More of the body has come. */
  advanced(): void {
    if (this.#reader.isComplete) this.#body?.resolve(this.#reader.body);
  }

  /** The answer begins: the rest of the request is of no interest. */
  answering(): void {
    this.#isAnswering = true;
    if (!this.#isWanted) this.#reader.drop();
  }

  /** The client has left. */
  leave(): void {
    this.leaving.leave();
    this.#body?.reject(new HttpFault("ECONNRESET"));
  }
}
