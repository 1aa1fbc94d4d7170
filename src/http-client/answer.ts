import type { Leaving } from "./leaving.ts";

/** The head of an answer. */
export type AnswerHead = { readonly status: number; readonly headers: Headers };

/** An answer of a server, and its body, which is undefined for one that has none. */
export type ServerAnswer = AnswerHead & {
  readonly statusText: string;
  readonly body: BodySource | undefined;
};

/** The bytes of a body, in the pieces in which they come. */
export type BodySource = {
  /** All of them, where they came together with the head, which saves the wait for each piece. */
  readonly whole?: Uint8Array | undefined;
  /** The next piece. Rejects where the body breaks off. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** No more of it is wanted: the connection is given up. */
  cancel(): Promise<void>;
};

/** A request of which everything is known. */
export type OutgoingRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  /** Breaks off the request, and the body of its answer. */
  readonly leaving: Leaving;
};

/** Sends a request; the promise resolves with the head of its answer. Rejects with an error that has a `code` where there is none. */
export type AskServer = (request: OutgoingRequest) => Promise<ServerAnswer>;

/** The pieces of a body, one after the other; a reader that stops gives up the rest. */
export async function* piecesOf(body: BodySource): AsyncGenerator<Uint8Array, void, undefined> {
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await body.read();
      isOver = done;
      if (done || !value) return;
      yield value;
    }
  } finally {
    if (!isOver) await body.cancel().catch(() => undefined);
  }
}
