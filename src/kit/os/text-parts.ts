import { isAlphanumeric, newline } from "../text/ascii.ts";

// Parts end before a line, so a long line makes a longer part.
const textPartBytesMax = 4 * 1024 * 1024;

/** Cuts before lines that begin with an ASCII letter or digit: no token crosses such a cut. */
export async function* textParts(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number = textPartBytesMax,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  let nextSearchBytes = bytesMax;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < nextSearchBytes) continue;
    const text = Buffer.concat(held);
    const cut = lastCut(text);
    if (cut > 0) yield text.subarray(0, cut);
    held = [text.subarray(cut)];
    size = text.length - cut;
    // A part without a cut is searched again only when it has doubled.
    nextSearchBytes = Math.max(bytesMax, size * 2);
  }
  if (size > 0) yield Buffer.concat(held);
}

function lastCut(text: Uint8Array): number {
  let end = text.length - 1;
  while (end > 0) {
    const at = text.subarray(0, end).lastIndexOf(newline);
    if (at < 0) return 0;
    if (isAlphanumeric(text[at + 1] ?? 0)) return at + 1;
    end = at;
  }
  return 0;
}
