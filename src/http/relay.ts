import { isEventStream } from "#endpoint/media-type.ts";
import type { BodySource, ServerAnswer } from "#http-client/answer.ts";
import { answerHeaders } from "./headers.ts";
import { beginBody } from "./short-body.ts";

/** Called while a body is relayed. None of them throws or rejects. */
export type RelayHooks = {
  /** A chunk was forwarded; where there is a promise, the next one is read when it resolves. */
  readonly forwarded: (chunk: Uint8Array) => Promise<void> | undefined;
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
  { forwarded, ended, left }: Omit<RelayHooks, "forwardedWhole">,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read();
        if (done || !value) {
          controller.close();
          ended(true);
          return;
        }
        controller.enqueue(value);
        const room = forwarded(value);
        if (room) await room;
      } catch (error) {
        controller.error(error);
        ended(false);
      }
    },
    async cancel() {
      left();
      await source.cancel().catch(() => undefined);
    },
  });
}

/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** The answer as the client gets it, its body chunk by chunk: a short one in one write with its head, events at once. */
export async function relayAnswer(answer: ServerAnswer, hooks: RelayHooks): Promise<Response> {
  const { status, statusText, body } = answer;
  const head = { status, statusText, headers: answerHeaders(answer.headers) };
  if (!body || bodiless.has(status)) {
    // One that a server still sends would keep its connection.
    void body?.cancel().catch(() => undefined);
    hooks.ended(true);
    return new Response(null, head);
  }
  if (isEventStream(answer.headers)) return new Response(relay(body, hooks), head);
  const begun = await beginBody(body);
  if (begun.kind === "whole") {
    hooks.forwardedWhole(begun.bytes);
    return new Response(begun.bytes, head);
  }
  // A client that has left does not read as far as there.
  if (begun.kind === "broken") hooks.ended(false);
  return new Response(relay(begun.source, hooks), head);
}
