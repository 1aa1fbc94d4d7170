import type { Feed } from "./feed.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Answer of every scan that met the end of the bytes in memory before the end of the piece. */
export const NEEDS_MORE = -(2 ** 31);

/** No place in memory, nor one that was there before. */
export const NOWHERE = NEEDS_MORE;

/**
 * Where the piece ends whose run goes on at `at`, or NEEDS_MORE, and then `pause` knows how to go on.
 * `mark` is the last place before `at` the scan may have to go back to. Both it and the answer are
 * offsets in memory, negative where the bytes have been dropped since.
 */
export type RunEnd = (
  text: Utf8,
  at: number,
  vocabulary: Vocabulary,
  pause: Pause,
  mark: number,
) => number;

/** A run left off where the bytes in memory ended: no byte of it is read a second time. */
export class Pause {
  private next = 0;
  private mark = NOWHERE;
  private resume: RunEnd = () => NEEDS_MORE;

  /** Leaves off before `next`; `resume` is to go on from there. */
  at(next: number, resume: RunEnd, mark: number): number {
    this.next = next;
    this.resume = resume;
    this.mark = mark;
    return NEEDS_MORE;
  }

  /** Drops what the run has read, reads a slice more of `feed` and goes on. */
  goOn(feed: Feed, vocabulary: Vocabulary): number {
    const dropped = this.next;
    feed.more(dropped);
    const mark = this.mark === NOWHERE ? NOWHERE : this.mark - dropped;
    return this.resume(feed, 0, vocabulary, this, mark);
  }
}
