import { joinedRequestBytesMax } from "#limits/http.ts";
import { joinBytes } from "#wire/bytes.ts";
import type { OutgoingRequest, ServerAnswer } from "./answer.ts";
import { AnswerReader } from "./answer-reader.ts";
import { faultOf, HttpFault } from "#http1/http-fault.ts";
import { requestHead } from "./request-bytes.ts";

/** The functions by which a connection reports to its keeper. */
export type ConnectionKeeper = {
  /** It may carry another request: the seconds that the server keeps it, where it says so. */
  readonly rested: (keptSeconds: number | undefined) => void;
  readonly closed: () => void;
};

type Asking = { readonly reader: AnswerReader; readonly failed: (error: Error) => void };

/** A connection without TLS, for one request at a time. */
export class Connection {
  readonly #keeper: ConnectionKeeper;
  #socket: Bun.Socket<Connection> | undefined;
  #asking: Asking | undefined;
  /** Bytes of the request that the socket has not taken. */
  #unsent: Uint8Array[] = [];
  #isPaused = false;
  #isClosed = false;
  #wasSilent = true;

  private constructor(keeper: ConnectionKeeper) {
    this.#keeper = keeper;
  }

  /** Rejects with an error that has a code where no server listens. */
  static async open(url: URL, keeper: ConnectionKeeper): Promise<Connection> {
    const connection = new Connection(keeper);
    await Bun.connect({
      // A literal of IPv6 is in brackets.
      hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? 80 : Number(url.port),
      socket: handlers,
      data: connection,
    });
    return connection;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True when the last request had no byte of an answer. */
  get wasSilent(): boolean {
    return this.#wasSilent;
  }

  /** Sends a request. Rejects where its answer does not begin. */
  ask(request: OutgoingRequest): Promise<ServerAnswer> {
    this.#wasSilent = true;
    if (this.#isClosed) return Promise.reject(new HttpFault("ECONNRESET"));
    const answered = Promise.withResolvers<ServerAnswer>();
    const { method, body, leaving } = request;
    const reader = new AnswerReader({
      method,
      answered: answered.resolve,
      setPaused: (isPaused) => this.#setPaused(isPaused),
      giveUp: () => this.close(),
    });
    this.#asking = { reader, failed: answered.reject };
    leaving.onLeave(() => this.#abandon(reader));
    this.#send(requestHead(request), body);
    return answered.promise;
  }

  opened(socket: Bun.Socket<Connection>): void {
    this.#socket = socket;
    if (this.#isClosed) socket.terminate();
  }

  /** Breaks off the request, if there is one. */
  close(): void {
    this.#fail(new HttpFault("ECONNRESET"));
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  /** Carries no other request. */
  end(): void {
    this.#isClosed = true;
    this.#socket?.end();
  }

  /** Bytes have come. */
  received(bytes: Uint8Array): void {
    const reader = this.#asking?.reader;
    // Nothing was asked.
    if (!reader) return this.close();
    this.#wasSilent = false;
    try {
      reader.push(bytes);
    } catch (error) {
      this.#fail(faultOf(error));
      return this.close();
    }
    if (reader.isOver) this.#rest(reader.keptSeconds);
  }

  /** The server sends nothing more. */
  ended(): void {
    this.#isClosed = true;
    try {
      this.#asking?.reader.end();
    } catch (error) {
      this.#fail(faultOf(error));
    }
    this.#asking = undefined;
  }

  closed(error: Error | undefined): void {
    this.#isClosed = true;
    this.#fail(error ?? new HttpFault("ECONNRESET"));
    this.#keeper.closed();
  }

  /** The socket takes more. */
  drained(): void {
    for (let [first] = this.#unsent; first; [first] = this.#unsent) {
      const sent = Math.max(0, this.#socket?.write(first) ?? 0);
      if (sent < first.length) {
        this.#unsent[0] = first.subarray(sent);
        return;
      }
      this.#unsent.shift();
    }
  }

  #send(head: Uint8Array, body: Uint8Array | undefined): void {
    const isShort = (body?.length ?? 0) <= joinedRequestBytesMax;
    this.#unsent = isShort
      ? [joinBytes(body ? [head, body] : [head])]
      : [head, ...(body ? [body] : [])];
    this.drained();
  }

  /** The answer is complete. One that came before the whole request leaves the rest of it unsent. */
  #rest(keptSeconds: number | undefined): void {
    this.#asking = undefined;
    if (keptSeconds === 0 || this.#unsent.length > 0) return this.end();
    this.#setPaused(false);
    this.#keeper.rested(keptSeconds);
  }

  #abandon(reader: AnswerReader): void {
    if (this.#asking?.reader === reader) this.close();
  }

  #fail(error: Error): void {
    const asking = this.#asking;
    this.#asking = undefined;
    if (asking && !asking.reader.fail(error)) asking.failed(error);
  }

  #setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#socket?.pause();
    else this.#socket?.resume();
  }
}

const handlers: Bun.SocketHandler<Connection> = {
  open: (socket) => socket.data.opened(socket),
  data: ({ data: connection }, bytes) => connection.received(bytes),
  drain: ({ data: connection }) => connection.drained(),
  end: ({ data: connection }) => connection.ended(),
  close: ({ data: connection }, error) => connection.closed(error),
  error: ({ data: connection }, error) => connection.closed(error),
};
