import type { Vocabulary } from "./vocabulary.ts";

/** Class flags (layout.ts) of the code point that begins at `at`, for well-formed UTF-8. */
export function flagsAt(bytes: Uint8Array, at: number, { blocks, classes }: Vocabulary): number {
  const first = bytes[at] as number;
  if (first < 0x80) return classes[first] as number;
  const second = (bytes[at + 1] as number) & 63;
  let point: number;
  if (first < 0xe0) {
    point = ((first & 31) << 6) | second;
  } else {
    const third = (bytes[at + 2] as number) & 63;
    if (first < 0xf0) point = ((first & 15) << 12) | (second << 6) | third;
    else {
      const fourth = (bytes[at + 3] as number) & 63;
      point = ((first & 7) << 18) | (second << 12) | (third << 6) | fourth;
    }
  }
  return classes[((blocks[point >> 7] as number) << 7) | (point & 127)] as number;
}

/** Bytes of the code point whose first byte this is. */
export function widthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** The longest code point, in bytes. */
export const POINT_BYTES_MAX = 4;

/** Whether this is no first byte of a code point. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
