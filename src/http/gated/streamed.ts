import type { StreamedBody } from "#http-server/client-request.ts";

/** A body that is made chunk by chunk, as fast as it is read. `left` is called when its reader goes before its end. */
export function streamed(
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
  left: () => void,
): StreamedBody {
  return {
    read: () => chunks.next(),
    left() {
      left();
      // It ends when the chunk that it waits for has come or failed, and `left` makes it fail.
      void chunks.return().catch(() => undefined);
    },
  };
}
