import { forwardedReadBytesMax } from "#kit/limits.ts";
import { addressOf } from "#kit/os/c-library.ts";
import { recordKind, type RecordKind } from "./passed-record.ts";
import { pollEvent } from "./poll-set.ts";
import type { Port } from "./port.ts";
import type { Publisher } from "./publisher.ts";

export type DirectionParts = {
  readonly isFromClient: boolean;
  readonly input: Port;
  readonly output: Port;
  readonly publisher: Publisher;
};

/**
 * Bytes that the reader does not take at once wait here, and nothing more is read meanwhile. A question is published
 * before it is written and an answer afterwards, so that no answer comes first.
 */
export class Direction {
  readonly isFromClient: boolean;
  readonly input: Port;
  readonly output: Port;
  readonly #publisher: Publisher;
  readonly #unsent = new Uint8Array(forwardedReadBytesMax);
  readonly #unsentAddress: number;
  #unsentFrom = 0;
  #unsentTo = 0;
  #isReading = true;
  #isOpen = true;
  #end: RecordKind | undefined;

  constructor({ isFromClient, input, output, publisher }: DirectionParts) {
    this.isFromClient = isFromClient;
    this.input = input;
    this.output = output;
    this.#publisher = publisher;
    this.#unsentAddress = addressOf(this.#unsent);
  }

  get hasUnsent(): boolean {
    return this.#unsentTo > this.#unsentFrom;
  }

  get wantsBytes(): boolean {
    return this.#isReading && !this.hasUnsent;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  move(results: number, nowMs: number): void {
    const address = this.#publisher.begin();
    const size = this.input.read(address, forwardedReadBytesMax);
    if (size > 0) this.#forward(address, size, nowMs);
    else if (size === 0 || (results & pollEvent.over) !== 0) this.#inputEnded();
  }

  flush(results: number): void {
    const size = this.#unsentTo - this.#unsentFrom;
    const written = this.output.write(this.#unsentAddress + this.#unsentFrom, size);
    if (written > 0) this.#unsentFrom += written;
    else if (this.output.isBroken(results)) this.#outputBroke();
  }

  /** A reader that left a full socket causes no event. */
  probe(): void {
    if (this.awaitsSocket && this.output.isBroken(0)) this.#outputBroke();
  }

  get awaitsSocket(): boolean {
    return this.hasUnsent && this.output.isSocket;
  }

  get isWaitingToEnd(): boolean {
    return this.#end !== undefined;
  }

  settle(nowMs: number): boolean {
    if (this.#isReading || !this.#isOpen) return false;
    if (this.#end !== undefined) {
      if (!this.#publisher.isFree()) return false;
      this.#publisher.begin();
      this.#publisher.commit(this.#end, 0, nowMs);
      this.#end = undefined;
    }
    this.output.close();
    this.#isOpen = false;
    return true;
  }

  #forward(address: number, size: number, nowMs: number): void {
    const publisher = this.#publisher;
    if (this.isFromClient) publisher.commit(recordKind.clientBytes, size, nowMs);
    const written = Math.max(0, this.output.write(address, size));
    if (written < size) {
      publisher.copy(this.#unsent, written, size);
      this.#unsentFrom = 0;
      this.#unsentTo = size - written;
    }
    if (!this.isFromClient) publisher.commit(recordKind.serverBytes, size, nowMs);
  }

  #inputEnded(): void {
    this.#isReading = false;
    this.#end = this.isFromClient ? recordKind.clientEnd : recordKind.serverEnd;
  }

  /** The writer gets SIGPIPE, or an error, from its next write, as it would alone. */
  #outputBroke(): void {
    this.#unsentFrom = 0;
    this.#unsentTo = 0;
    this.#isReading = false;
    this.input.close();
    this.#end = this.isFromClient ? recordKind.clientCut : undefined;
  }
}
