import { newline } from "#wire/ascii.ts";
import { readSome } from "./stdio.ts";

const lineBytesMax = 256 * 1024;

/**
 * Hands over every line of standard input as `bytes[start … end)`, newline excluded, until it ends;
 * `afterBatch` runs when all lines that one read brought are through. A line has at most 256 KiB.
 */
export function eachLine(
  take: (bytes: Buffer, start: number, end: number) => void,
  afterBatch: () => void,
): void {
  const bytes = Buffer.allocUnsafe(lineBytesMax);
  let filled = 0;
  for (;;) {
    const read = readSome(bytes, filled);
    if (read === 0) return;
    filled += read;
    let start = 0;
    for (
      let end = nextNewline(bytes, start, filled);
      end >= 0;
      end = nextNewline(bytes, start, filled)
    ) {
      take(bytes, start, end);
      start = end + 1;
    }
    bytes.copyWithin(0, start, filled);
    filled -= start;
    afterBatch();
  }
}

/** The index of the next newline in `bytes[start … filled)`, or -1. */
function nextNewline(bytes: Buffer, start: number, filled: number): number {
  const end = bytes.subarray(start, filled).indexOf(newline);
  return end < 0 ? -1 : start + end;
}
