import { freeBytes } from "#http1/free-bytes.ts";
import { pipelinedBytesMax, refusedLingerSeconds, requestSilenceMaxSeconds } from "#limits/http.ts";
import { joinBytes } from "#wire/bytes.ts";
import { type WrittenAnswer, writeAnswer } from "./answer-writer.ts";
import type { ClientAnswer, ClientRequest } from "./client-request.ts";
import { OpenRequest } from "./open-request.ts";
import { type RejectedStatus, rejectedStatus } from "./request-fault.ts";
import { RequestReader } from "./request-reader.ts";
import { UnsentBytes } from "./unsent-bytes.ts";

/** The program behind the connections. */
export type Answerer = {
  /** Answers a request as soon as its head has come. */
  readonly answer: (request: ClientRequest) => Promise<ClientAnswer>;
  /** The answer to a request that is not read, or whose answering failed. */
  readonly rejection: (status: RejectedStatus | 500, error: unknown) => ClientAnswer;
};

const continuing = new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n");

/** The connection of a client: one request at a time is read and answered, those behind it wait. */
export class ClientConnection {
  readonly #answerer: Answerer;
  readonly #socket: Bun.Socket<ClientConnection>;
  readonly #unsent: UnsentBytes;
  readonly #outlet;
  #reader = new RequestReader();
  #open: OpenRequest | undefined;
  /** Bytes of the next requests. */
  #later: Uint8Array[] = [];
  #laterBytes = 0;
  /** True where more was sent behind the open request than is kept: none of it is answered. */
  #isOverrun = false;
  #isClosed = false;
  /** True where the rest of the input is thrown away: the last answer says so. */
  #isDeaf = false;

  constructor(answerer: Answerer, socket: Bun.Socket<ClientConnection>) {
    this.#answerer = answerer;
    this.#socket = socket;
    this.#unsent = new UnsentBytes((bytes) => socket.write(bytes));
    this.#outlet = {
      write: (pieces: readonly Uint8Array[]) =>
        this.#isClosed ? undefined : this.#unsent.push(pieces),
      isClosed: () => this.#isClosed,
    };
  }

  /** Bytes have come. */
  received(bytes: Uint8Array): void {
    if (this.#isDeaf) return;
    if (this.#open && this.#reader.isComplete) this.#keep(bytes);
    else this.#read(bytes);
  }

  /** The socket takes more. */
  drained(): void {
    this.#unsent.flush();
  }

  /** Nothing came for as long as a client may be silent within a request, or has to read its last answer. */
  timedOut(): void {
    // A client that reads slowly still gets the answer from the system.
    if (this.#isDeaf) this.#socket.end();
    else if (this.#reader.isWithin) this.#reject(408, undefined);
  }

  /** The client has closed its end, or the connection is broken. */
  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsent.drop();
    this.#open?.leave();
  }

  #read(bytes: Uint8Array): void {
    const reader = this.#reader;
    let rest: Uint8Array;
    try {
      rest = reader.push(bytes);
    } catch (error) {
      return this.#reject(rejectedStatus(error), error);
    }
    if (rest.length > 0) this.#keep(rest);
    else if (!reader.holdsInput) freeBytes(bytes);
    this.#socket.timeout(reader.isWithin ? requestSilenceMaxSeconds : 0);
    const { head } = reader;
    if (!head) return;
    if (this.#open) {
      this.#open.advanced();
      this.#goOn(this.#open);
      return;
    }
    this.#open = new OpenRequest(head, reader, () => void this.#outlet.write([continuing]));
    void this.#answer(this.#open);
  }

  async #answer(open: OpenRequest): Promise<void> {
    const answer = await this.#answered(open);
    const { body } = answer;
    if (body && !(body instanceof Uint8Array)) open.leaving.onLeave(body.left);
    if (open !== this.#open || this.#isClosed) return;
    open.answering();
    const { head } = open;
    const persists = head.persists && !open.isStuck && !this.#isOverrun;
    const written = await writeAnswer(answer, { ...head, persists }, this.#outlet);
    if (this.#isClosed || open !== this.#open) return;
    open.isAnswered = true;
    if (written !== "whole") this.#end(written);
    else if (this.#isOverrun) this.#end("ends");
    else this.#goOn(open);
  }

  async #answered(open: OpenRequest): Promise<ClientAnswer> {
    try {
      return await this.#answerer.answer(open);
    } catch (error) {
      return this.#answerer.rejection(500, error);
    }
  }

  /** Reads the next request where the last one is over. */
  #goOn(open: OpenRequest): void {
    if (!open.isAnswered || !this.#reader.isComplete) return;
    this.#open = undefined;
    this.#reader = new RequestReader();
    if (this.#laterBytes === 0) return;
    const later = joinBytes(this.#later.splice(0));
    this.#laterBytes = 0;
    this.#read(later);
  }

  /** Answers a request that cannot be read, unless another answer is on its way; the connection ends. */
  #reject(status: RejectedStatus, error: unknown): void {
    const open = this.#open;
    const { head } = this.#reader;
    this.#open = undefined;
    open?.leave();
    if (open?.isAnswering === true) return this.#end("broken");
    const request = { method: head?.method ?? "GET", minorVersion: head?.minorVersion ?? 1 };
    const rejection = this.#answerer.rejection(status, error);
    this.#isDeaf = true;
    void writeAnswer(rejection, { ...request, persists: false }, this.#outlet).then(() =>
      this.#end("ends"),
    );
  }

  /** Carries nothing more. Bytes that still come are read for a while: the system would throw away the answer otherwise. */
  #end(written: WrittenAnswer): void {
    this.#isDeaf = true;
    if (this.#isClosed) return;
    if (written === "cut") {
      this.#socket.terminate();
      return;
    }
    this.#socket.shutdown();
    this.#socket.timeout(refusedLingerSeconds);
  }

  /** Keeps the requests behind the open one. A socket that waits instead would not say that its client has left. */
  #keep(bytes: Uint8Array): void {
    this.#laterBytes += bytes.length;
    this.#isOverrun ||= this.#laterBytes > pipelinedBytesMax;
    if (this.#isOverrun) this.#later = [];
    else this.#later.push(bytes);
  }
}
