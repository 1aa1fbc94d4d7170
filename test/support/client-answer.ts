import type { ClientAnswer, StreamedBody } from "#http-server/client-request.ts";

/** The body of an answer as its client would read it. */
export function bodyStream({ body }: Pick<ClientAnswer, "body">): ReadableStream<Uint8Array> {
  if (!body || body instanceof Uint8Array) return new Response(body ?? null).body ?? emptyStream();
  return streamOf(body);
}

/** All of the text of an answer; rejects where its body breaks off. */
export async function bodyText(answer: Pick<ClientAnswer, "body">): Promise<string> {
  return new Response(bodyStream(answer)).text();
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** Reads one piece at a time, as a connection does. */
function streamOf(body: StreamedBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await body.read();
          if (done === true || !value) return controller.close();
          controller.enqueue(value);
          await body.written?.(value);
          body.sent?.(value);
        } catch (error) {
          controller.error(error);
        }
      },
      cancel: () => body.left(),
    },
    { highWaterMark: 0 },
  );
}
