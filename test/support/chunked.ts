import type { BodySource } from "#http1/body-source.ts";

/** A body that gives these chunks, and then ends or fails. */
export function chunked(
  chunks: readonly Uint8Array[],
  failure?: Error,
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks[at];
      at += 1;
      if (next) controller.enqueue(next);
      else if (failure) controller.error(failure);
      else controller.close();
    },
  });
}

/** A stream as the body of an answer. */
export function sourceOf(stream: ReadableStream<Uint8Array>): BodySource {
  const reader = stream.getReader();
  return { read: () => reader.read(), cancel: () => reader.cancel() };
}

/** All that a body gives, and whether it broke off. */
export async function drained(
  body: BodySource,
): Promise<readonly [bytes: Uint8Array, isWhole: boolean]> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const read = await body.read().catch(() => undefined);
    if (!read?.value) return [Buffer.concat(chunks), read !== undefined];
    chunks.push(read.value);
  }
}
