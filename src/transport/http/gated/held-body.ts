import { lineObservedBytesMax } from "#kit/limits.ts";
import { heldAnswerBytesMax } from "../../limits.ts";
import type { OverflowFile } from "#state/storage/overflow-file.ts";
import { type Line, LineGatherer } from "#wire/line.ts";

export type HeldBody = {
  readonly line: Line;
  /** Its bytes, part by part; to be called once. Without a call of this or `discard`, its file stays open. */
  readonly parts: () => Iterable<Uint8Array>;
  readonly discard: () => void;
};

/** Reads a whole body; undefined for one that is too long. Bytes beyond those in memory are in a file. Rejects as the chunks do. */
export async function heldBody(
  chunks: AsyncIterable<Uint8Array>,
  overflow: OverflowFile,
): Promise<HeldBody | undefined> {
  const discard = (): void => void overflow.take(true).next();
  const gatherer = new LineGatherer(lineObservedBytesMax, overflow);
  try {
    for await (const chunk of chunks) {
      gatherer.add(chunk);
      if (gatherer.size > heldAnswerBytesMax) {
        discard();
        return undefined;
      }
    }
  } catch (error) {
    discard();
    throw error;
  }
  const line = gatherer.take();
  const { bytes } = line;
  return { line, discard, parts: () => (bytes ? [bytes] : overflow.take()) };
}
