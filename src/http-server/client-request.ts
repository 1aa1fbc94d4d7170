import type { Leaving } from "#http1/leaving.ts";

/** A request whose head has come. */
export type ClientRequest = {
  readonly method: string;
  /** The address as its client wrote it. */
  readonly url: URL;
  readonly headers: Headers;
  /**
   * All of its body, which comes after the head; undefined for a request without one. `grow` is asked as it grows: where it
   * returns false, the request is rejected with 503. Rejects where the client leaves before the end.
   */
  readonly body: (grow?: (bytes: number) => boolean) => Promise<Uint8Array | undefined>;
  /** The client may leave before it has the whole answer. */
  readonly leaving: Leaving;
};

/** A body that is made while it is sent. */
export type StreamedBody = {
  /** The next piece. Rejects where the body breaks off. */
  readonly read: () => Promise<{
    readonly done?: boolean | undefined;
    readonly value?: Uint8Array | undefined | void;
  }>;
  /** A piece was handed over to be sent; where there is a promise, the next one is read when it resolves. Does not throw or reject. */
  readonly written?: (piece: Uint8Array) => Promise<void> | undefined;
  /** The system has taken all of a piece. Does not throw. */
  readonly sent?: (piece: Uint8Array) => void;
  /** The client has left before the end of its answer. */
  readonly left: () => void;
};

/** An answer as its client gets it. */
export type ClientAnswer = {
  readonly status: number;
  /** The usual one of the status by default. */
  readonly statusText?: string | undefined;
  /** `Content-Length` is the one of a streamed body; other fields about the connection are not sent. */
  readonly headers: Headers;
  readonly body: Uint8Array | StreamedBody | undefined;
};
