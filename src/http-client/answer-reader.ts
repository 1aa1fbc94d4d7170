import { answerHeadBytesMax, waitingPiecesMax } from "#limits/http.ts";
import type { ServerAnswer } from "./answer.ts";
import { shareBytes } from "#http1/free-bytes.ts";
import { type BodyFraming, isPersistent } from "#http1/framing-fields.ts";
import { HeadGatherer } from "#http1/head-gatherer.ts";
import { type ParsedHead, parseHead } from "./answer-head.ts";
import { announcesBody, framingOf, keptSeconds } from "./body-framing.ts";
import { ChunkedBody } from "#http1/chunked-body.ts";
import { HttpFault, malformed } from "#http1/http-fault.ts";
import { type BodyConnection, ReceivedBody } from "./received-body.ts";

/** The place of one request among those of its connection. */
export type AnswerReading = BodyConnection & {
  readonly method: string;
  /** Called once, when the bytes that came with the head are in its body. */
  readonly answered: (answer: ServerAnswer) => void;
};

const informational = { from: 100, to: 199, switching: 101 };

/** Reads the answer to one request from the bytes of a connection. */
export class AnswerReader {
  readonly #reading: AnswerReading;
  readonly #gatherer = new HeadGatherer(answerHeadBytesMax);
  #head: ParsedHead | undefined;
  #framing: BodyFraming | undefined;
  #chunked: ChunkedBody | undefined;
  #leftBytes = 0;
  #body: ReceivedBody | undefined;
  #isOver = false;
  #hasSurplus = false;

  constructor(reading: AnswerReading) {
    this.#reading = reading;
  }

  /** True when all of the answer has come. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Seconds for which the connection may carry another request; 0 where it may not, undefined where the server does not say. */
  get keptSeconds(): number | undefined {
    if (!this.#isOver || !this.#head || this.#endsConnection(this.#head)) return 0;
    return keptSeconds(this.#head.headers);
  }

  /** Takes the next bytes. Throws HttpFault for an answer that is not valid. */
  push(bytes: Uint8Array): void {
    let rest = bytes;
    while (!this.#head) {
      const found = this.#gatherer.push(rest);
      if (!found) return;
      this.#begin(parseHead(found.head));
      ({ rest } = found);
      if (!this.#head && rest.length === 0) return;
    }
    const isFirst = this.#framing === undefined;
    if (isFirst) this.#frame(this.#head);
    try {
      this.#pushBody(rest);
    } finally {
      // A body that is wrong from its start on breaks off behind its head.
      if (isFirst) this.#reading.answered(this.#answer(this.#head));
    }
  }

  /** The connection has ended. Throws HttpFault where the answer is not complete. */
  end(): void {
    if (this.#isOver) return;
    if (this.#framing?.kind !== "connection") throw new HttpFault("ECONNRESET");
    this.#endBody();
  }

  /** The rest does not come; true where the body of the answer says so. */
  fail(error: Error): boolean {
    this.#body?.fail(error);
    return this.#framing !== undefined;
  }

  /** Answers such as `100 Continue` come before the one that counts. */
  #begin(head: ParsedHead): void {
    const { from, to, switching } = informational;
    if (head.status < from || head.status > to) {
      this.#head = head;
      return;
    }
    if (head.status === switching) throw malformed();
  }

  #frame(head: ParsedHead): void {
    const framing = framingOf(this.#reading.method, head);
    this.#framing = framing;
    if (framing.kind === "none") return;
    this.#body = new ReceivedBody(this.#reading);
    if (framing.kind === "chunked") this.#chunked = new ChunkedBody();
    if (framing.kind === "length") this.#leftBytes = framing.bytes;
  }

  #endsConnection(head: ParsedHead): boolean {
    const kind = this.#framing?.kind;
    if (this.#hasSurplus || kind === "connection" || !isPersistent(head.minorVersion, head.headers))
      return true;
    // A body behind it would be read as the next answer.
    return kind === "none" && announcesBody(head);
  }

  #answer({ status, statusText, headers }: ParsedHead): ServerAnswer {
    return { status, statusText, headers, body: this.#body };
  }

  #pushBody(bytes: Uint8Array): void {
    const rest = this.#isOver ? bytes : this.#takeBody(bytes);
    if (rest.length > 0) this.#hasSurplus = true;
  }

  /** Returns the bytes behind the end of the body. */
  #takeBody(bytes: Uint8Array): Uint8Array {
    const body = this.#body;
    const take = (piece: Uint8Array): void => {
      if (piece.length > 0) body?.push(piece);
    };
    if (this.#chunked) return this.#takeChunks(this.#chunked, bytes, take);
    if (this.#framing?.kind === "connection") {
      take(bytes);
      return bytes.subarray(bytes.length);
    }
    const piece = bytes.subarray(0, this.#leftBytes);
    this.#leftBytes -= piece.length;
    take(piece);
    if (this.#leftBytes === 0) this.#endBody();
    return bytes.subarray(piece.length);
  }

  #takeChunks(
    chunked: ChunkedBody,
    bytes: Uint8Array,
    take: (piece: Uint8Array) => void,
  ): Uint8Array {
    const pieces: Uint8Array[] = [];
    try {
      return chunked.push(bytes, (piece) => void pieces.push(piece));
    } finally {
      const compacted = compact(pieces, bytes.length);
      if (compacted === pieces) shareBytes(bytes, pieces);
      for (const piece of compacted) take(piece);
      if (chunked.isOver) this.#endBody();
    }
  }

  #endBody(): void {
    this.#isOver = true;
    this.#body?.end();
  }
}

/** The same bytes, copied where they are many pieces, or few bytes of all that came, which would be held with them. */
function compact(pieces: readonly Uint8Array[], cameBytes: number): readonly Uint8Array[] {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (pieces.length <= waitingPiecesMax && 2 * size >= cameBytes) return pieces;
  return [new Uint8Array(Buffer.concat(pieces))];
}
