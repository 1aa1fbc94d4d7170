import { requestBytesMax, requestHeadBytesMax } from "#limits/http.ts";
import { carriageReturn, newline } from "#wire/ascii.ts";
import { ChunkedBody } from "#http1/chunked-body.ts";
import { GrowingBytes } from "#http1/growing-bytes.ts";
import { HeadGatherer } from "#http1/head-gatherer.ts";
import { RequestFault } from "./request-fault.ts";
import { parseRequestHead, type RequestHead } from "./request-head.ts";

const noBytes = new Uint8Array();

/** Reads one request from the bytes of a connection. */
export class RequestReader {
  readonly #gatherer = new HeadGatherer(requestHeadBytesMax);
  #head: RequestHead | undefined;
  #chunked: ChunkedBody | undefined;
  #leftBytes = 0;
  #gathered = new GrowingBytes();
  /** The body, where it came in one piece. */
  #piece: Uint8Array | undefined;
  #bodyBytes = 0;
  #isDropping = false;
  #isComplete = false;

  /** Asked whether the body may have that number of bytes. */
  grow: (bytes: number) => boolean = () => true;

  /** The head; undefined while it is not complete. */
  get head(): RequestHead | undefined {
    return this.#head;
  }

  /** True when all of the request has come. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True between the first byte of a request and its last one. */
  get isWithin(): boolean {
    return !this.#isComplete && (this.#head !== undefined || this.#gatherer.hasBegun);
  }

  /** The body; undefined for a request without one. */
  get body(): Uint8Array | undefined {
    if (this.#piece) return this.#piece;
    if (this.#gathered.size > 0) return this.#gathered.all;
    return this.#chunked && noBytes;
  }

  /** True where the bytes of the body are those that came, and no copy. */
  get holdsInput(): boolean {
    return this.#piece !== undefined;
  }

  /** The rest of the body is of no interest, and is read to find the next request. */
  drop(): void {
    this.#isDropping = true;
  }

  /** Takes the next bytes, and returns those behind the end of the request. Throws RequestFault or HttpFault. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#head) return this.#takeBody(bytes);
    const found = this.#gatherer.push(this.#gatherer.hasBegun ? bytes : withoutEmptyLines(bytes));
    if (!found) return noBytes;
    this.#head = parseRequestHead(found.head);
    const { framing } = this.#head;
    if (framing === "chunked") this.#chunked = new ChunkedBody();
    else this.#leftBytes = framing.bytes;
    this.#gathered = new GrowingBytes(framing === "chunked" ? requestBytesMax : framing.bytes);
    return this.#takeBody(found.rest);
  }

  #takeBody(bytes: Uint8Array): Uint8Array {
    if (this.#chunked) return this.#takeChunks(this.#chunked, bytes);
    const piece = bytes.subarray(0, this.#leftBytes);
    this.#leftBytes -= piece.length;
    this.#isComplete = this.#leftBytes === 0;
    this.#keep(piece);
    return bytes.subarray(piece.length);
  }

  #takeChunks(chunked: ChunkedBody, bytes: Uint8Array): Uint8Array {
    const rest = chunked.push(bytes, (piece) => this.#keep(piece));
    this.#isComplete = chunked.isOver;
    return rest;
  }

  #keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#bodyBytes += piece.length;
    if (this.#bodyBytes > requestBytesMax) throw new RequestFault(413);
    if (this.#isDropping) return;
    if (!this.grow(this.#bodyBytes)) throw new RequestFault(503);
    const isAll = this.#isComplete && this.#gathered.size === 0;
    if (isAll) this.#piece = piece;
    else this.#gathered.push(piece);
  }
}

/** Some clients end the request before with one (RFC 9112 2.2). */
function withoutEmptyLines(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (bytes[at] === newline || bytes[at] === carriageReturn) at += 1;
  return bytes.subarray(at);
}
