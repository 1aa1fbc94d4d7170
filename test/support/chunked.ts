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
