/** A body that is made chunk by chunk, as fast as it is read. `left` is called when its reader goes before its end. */
export function streamed(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  left: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel() {
      left();
      // It ends when the chunk that it waits for has come or failed, and `left` makes it fail.
      void chunks.return().catch(() => undefined);
    },
  });
}
