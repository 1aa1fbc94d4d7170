import { isEventStream } from "#endpoint/media-type.ts";
import type { BodySource } from "#http1/body-source.ts";
import type { ServerAnswer } from "#http-client/answer.ts";
import type { ClientAnswer, StreamedBody } from "#http-server/client-request.ts";
import { answerHeaders } from "./headers.ts";
import { beginBody } from "./short-body.ts";

/** Called while a body is relayed. None of them throws or rejects. */
export type RelayHooks = {
  /** A chunk was forwarded; where there is a promise, the next one is read when it resolves. */
  readonly forwarded: (chunk: Uint8Array) => Promise<void> | undefined;
  /** The system has taken all of a chunk. */
  readonly sent: (chunk: Uint8Array) => void;
  /** All of a short body was forwarded, which has ended. */
  readonly forwardedWhole: (bytes: Uint8Array) => void;
  /** The body is over, or broke off. */
  readonly ended: (isWhole: boolean) => void;
  /** The client reads no further. */
  readonly left: () => void;
};

/** The same body, one chunk at a time: a reader that stops, stops the server. */
function relay(
  source: BodySource,
  { forwarded, sent, ended, left }: Omit<RelayHooks, "forwardedWhole">,
): StreamedBody {
  return {
    async read() {
      try {
        const read = await source.read();
        if (read.done || !read.value) ended(true);
        return read;
      } catch (error) {
        ended(false);
        throw error;
      }
    },
    written: forwarded,
    sent,
    left() {
      left();
      void source.cancel().catch(() => undefined);
    },
  };
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** The answer as the client gets it, its body chunk by chunk: a short one in one write with its head, events at once. */
export async function relayAnswer(answer: ServerAnswer, hooks: RelayHooks): Promise<ClientAnswer> {
  const { status, statusText, body } = answer;
  const head = { status, statusText, headers: answerHeaders(answer.headers) };
  if (!body || bodiless.has(status)) {
    // One that a server still sends would keep its connection.
    void body?.cancel().catch(() => undefined);
    hooks.ended(true);
    return { ...head, body: undefined };
  }
  if (isEventStream(answer.headers)) return { ...head, body: relay(body, hooks) };
  const begun = await beginBody(body);
  if (begun.kind === "whole") {
    hooks.forwardedWhole(begun.bytes);
    return { ...head, body: begun.bytes };
  }
  // A client that has left does not read as far as there.
  if (begun.kind === "broken") hooks.ended(false);
  return { ...head, body: relay(begun.source, hooks) };
}
