import { waitingBodyBytesMax, waitingPiecesBoundMax, waitingPiecesMax } from "#limits/http.ts";
import { joinBytes } from "#wire/bytes.ts";
import type { BodySource } from "#http1/body-source.ts";

/** The connection that a body comes from. */
export type BodyConnection = {
  /** The server should send no more for now, or continue. */
  readonly setPaused: (isPaused: boolean) => void;
  /** The rest is read by no client. */
  readonly giveUp: () => void;
};

type Read = Awaited<ReturnType<BodySource["read"]>>;

/** A body while it arrives: bytes wait to be read, and from a limit on the server waits too. */
export class ReceivedBody implements BodySource {
  readonly #connection: BodyConnection;
  #pieces: Uint8Array[] = [];
  #waitingBytes = 0;
  #isPaused = false;
  #end: "open" | "whole" | { readonly error: Error } = "open";
  #reader: PromiseWithResolvers<Read> | undefined;
  #isRead = false;

  constructor(connection: BodyConnection) {
    this.#connection = connection;
  }

  get whole(): Uint8Array | undefined {
    if (this.#end !== "whole" || this.#isRead) return undefined;
    return joinBytes(this.#pieces);
  }

  push(piece: Uint8Array): void {
    if (this.#reader) {
      this.#hand({ done: false, value: piece });
      return;
    }
    this.#pieces.push(piece);
    this.#waitingBytes += piece.length;
    this.#setPaused(this.#isFull);
  }

  /** All of it has come. */
  end(): void {
    this.#end = "whole";
    this.#hand({ done: true });
  }

  /** It breaks off; the bytes so far can be read before. */
  fail(error: Error): void {
    if (this.#end !== "open") return;
    this.#end = { error };
    this.#reader?.reject(error);
    this.#reader = undefined;
  }

  /** One call at a time. */
  read(): Promise<Read> {
    this.#isRead = true;
    const value = this.#next();
    if (value) return Promise.resolve({ done: false, value });
    if (this.#end === "whole") return Promise.resolve({ done: true });
    if (this.#end !== "open") return Promise.reject(this.#end.error);
    this.#reader = Promise.withResolvers<Read>();
    return this.#reader.promise;
  }

  cancel(): Promise<void> {
    this.#isRead = true;
    this.#pieces = [];
    if (this.#end === "open") {
      this.end();
      this.#connection.giveUp();
    }
    return Promise.resolve();
  }

  /** The first bytes that wait. A server may send a body in pieces of a byte, of which many are joined. */
  #next(): Uint8Array | undefined {
    const isMany = this.#pieces.length > waitingPiecesMax;
    const value = isMany ? joinBytes(this.#pieces.splice(0)) : this.#pieces.shift();
    this.#waitingBytes -= value?.length ?? 0;
    if (value) this.#setPaused(this.#isFull);
    return value;
  }

  get #isFull(): boolean {
    return (
      this.#waitingBytes >= waitingBodyBytesMax || this.#pieces.length >= waitingPiecesBoundMax
    );
  }

  #hand(read: Read): void {
    this.#reader?.resolve(read);
    this.#reader = undefined;
  }

  #setPaused(isPaused: boolean): void {
    // A connection whose body has ended may carry another one.
    if (isPaused === this.#isPaused || this.#end !== "open") return;
    this.#isPaused = isPaused;
    this.#connection.setPaused(isPaused);
  }
}
