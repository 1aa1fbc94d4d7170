import type { BodySource } from "#http1/body-source.ts";
import type { Leaving } from "#http1/leaving.ts";

/** The head of an answer. */
export type AnswerHead = { readonly status: number; readonly headers: Headers };

/** An answer of a server, and its body, which is undefined for one that has none. */
export type ServerAnswer = AnswerHead & {
  /** Undefined for the usual one of the status. */
  readonly statusText: string | undefined;
  readonly body: BodySource | undefined;
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
