import type { Feed, Utf8 } from "./feed.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { PieceCounter } from "./piece-counter.ts";

// The bytes in memory ended before the piece did.
export const needsMore = -(2 ** 31);

export const noOffset = needsMore;

// Continues a run at `at`. Returns the offset where its piece ends, or `needsMore` if `scan` can be resumed. `mark` is the last
// offset before `at` where the piece may have to end. Offsets of bytes already dropped from memory are negative.
type RunEnd = (text: Utf8, at: number, scan: Scan, mark: number) => number;

const notPaused: RunEnd = () => needsMore;

// A run that continues beyond the bytes in memory is paused and resumed, so that no byte is read twice.
export class Scan {
  readonly vocabulary: Vocabulary;
  #next = 0;
  #mark = noOffset;
  #runEnd: RunEnd = notPaused;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  pause(next: number, runEnd: RunEnd, mark: number): number {
    this.#next = next;
    this.#runEnd = runEnd;
    this.#mark = mark;
    return needsMore;
  }

  /** Drops what the run has read, reads another slice and continues. */
  resume(feed: Feed): number {
    const dropped = this.#next;
    feed.readSlice(dropped);
    const mark = this.#mark === noOffset ? noOffset : this.#mark - dropped;
    return this.#runEnd(feed, 0, this, mark);
  }
}

// Returns `needsMore` if `scan` can be resumed: more than a short piece is in memory from `at` on.
export type PieceEnd = (text: Utf8, at: number, scan: Scan) => number;

export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly pieces: PieceCounter;
};
