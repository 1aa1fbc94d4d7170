import type { Feed, Utf8 } from "./feed.ts";
import type { Vocabulary } from "./vocabulary.ts";

export const needsMore = -(2 ** 31);

// No offset in the buffer can be this small.
export const noOffset = needsMore;

// `mark`: the last offset before `at` where the piece may end. Negative if those bytes were dropped.
type FindRunEnd = (text: Utf8, at: number, run: PausedRun, mark: number) => number;

const notPaused: FindRunEnd = () => needsMore;

// Pauses a run of characters that continues beyond the bytes in memory, so that no byte is read twice.
export class PausedRun {
  readonly vocabulary: Vocabulary;
  #next = 0;
  #mark = noOffset;
  #findRunEnd: FindRunEnd = notPaused;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  pause(next: number, findRunEnd: FindRunEnd, mark: number): number {
    this.#next = next;
    this.#findRunEnd = findRunEnd;
    this.#mark = mark;
    return needsMore;
  }

  resume(feed: Feed): number {
    const dropped = this.#next;
    feed.readSlice(dropped);
    const mark = this.#mark === noOffset ? noOffset : this.#mark - dropped;
    return this.#findRunEnd(feed, 0, this, mark);
  }
}

// Returns `needsMore` if the piece continues beyond the bytes in memory. If more than a short piece from `at` on was in
// memory, `run` can be resumed; otherwise load more and call again.
export type FindPieceEnd = (text: Utf8, at: number, run: PausedRun) => number;
