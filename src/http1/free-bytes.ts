import { freedBytesMin } from "#limits/http.ts";

/** How many pieces of a chunk of memory are in use. */
const shares = new WeakMap<ArrayBufferLike, number>();

/** Only these pieces of a chunk are in use: its memory can be given back with the last one of them. */
export function shareBytes(chunk: Uint8Array, pieces: readonly Uint8Array[]): void {
  if (isFreeable(chunk)) shares.set(chunk.buffer, pieces.length);
}

/**
 * Gives the memory of a chunk back at once, after which it is empty, so that the next one gets the same memory, still in the
 * caches. Left to the garbage collector, a long body takes fresh pages for each chunk, which is a quarter of its cost
 * (docs/adr/0332-an-http-server-of-our-own.md). A piece of a chunk is given back with the last one of those that share it; one
 * of which nothing is known is left alone.
 */
export function freeBytes(piece: Uint8Array): void {
  const { buffer } = piece;
  if (!(buffer instanceof ArrayBuffer)) return;
  const others = shares.get(buffer);
  if (others === undefined ? !isFreeable(piece) : others > 1) {
    if (others !== undefined) shares.set(buffer, others - 1);
    return;
  }
  buffer.transfer(0);
}

/** True for all of a chunk that is long enough. */
function isFreeable({ buffer, byteLength }: Uint8Array): boolean {
  return byteLength >= freedBytesMin && byteLength === buffer.byteLength;
}
