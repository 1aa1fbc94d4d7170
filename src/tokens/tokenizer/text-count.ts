import type { Feed, Utf8 } from "./feed.ts";
import { longestTokenBytes } from "./vocabulary-layout.ts";
import { LongPiece, type PieceCounter, shortPieceBytes } from "./piece-counter.ts";
import type { Vocabulary } from "./vocabulary.ts";

export const needsMore = -(2 ** 31);

// Not -1, because bytes that were dropped from memory have negative offsets, such as -1.
export const noOffset = needsMore;

// `mark`: the last offset, up to `at`, where the piece may end; `noOffset` if there is none. Negative if in dropped
// bytes.
type FindRunEnd = (text: Utf8, at: number, run: PausedRun, mark: number) => number;

const notPaused: FindRunEnd = () => needsMore;

// A run is a sequence of similar characters, such as letters. If it continues beyond the bytes in memory, the search
// for its end is paused.
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

// Returns `needsMore` if the piece continues beyond the bytes in memory. If more than `shortPieceBytes` bytes of the
// piece are in memory, the caller then resumes `run`; otherwise, the caller loads more bytes and calls again.
export type FindPieceEnd = (text: Utf8, at: number, run: PausedRun) => number;

export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly findEnd: FindPieceEnd;
  readonly pieces: PieceCounter;
};

// Counting a byte of a long piece is this many times as much work as reading it.
const longPieceCost = 3;

// A long piece need not fit in memory: it is read once to find its end, and again to be counted.
export class TextCount {
  readonly #engine: Engine;
  readonly #feed: Feed;
  readonly #tokensMax: number;
  #counted = 0;
  #at = 0;
  readonly #run: PausedRun;
  #isPaused = false;
  #long: LongPiece | undefined;
  #longEnd = 0;

  constructor(engine: Engine, feed: Feed, tokensMax = Infinity) {
    this.#engine = engine;
    this.#feed = feed;
    this.#tokensMax = tokensMax;
    this.#run = new PausedRun(engine.vocabulary);
  }

  get tokens(): number {
    return this.#counted + (this.#long?.tokens ?? 0);
  }

  get #isDone(): boolean {
    const feed = this.#feed;
    const isAtEnd = feed.isFinal && this.#at >= feed.base + feed.end;
    return isAtEnd || this.#counted > this.#tokensMax;
  }

  /** Does about `workMax` bytes of work. True if all is counted, or the count is sure to exceed `tokensMax`. */
  advance(workMax: number): boolean {
    for (let work = workMax; work > 0 && !this.#isDone;) {
      if (this.#long !== undefined) work -= this.#countLong(this.#long, work);
      else if (this.#isPaused) work -= this.#findPausedEnd();
      else work -= this.#countPieces(work);
    }
    return this.#isDone;
  }

  #countPieces(workMax: number): number {
    const feed = this.#feed;
    const tokensMax = this.#tokensMax;
    const run = this.#run;
    const { findEnd, pieces } = this.#engine;
    const from = this.#at - feed.base;
    const stop = Math.min(feed.end, from + workMax);
    let counted = this.#counted;
    let at = from;
    let end = needsMore;
    while (at < stop && counted <= tokensMax) {
      end = findEnd(feed, at, run);
      if (end - at > shortPieceBytes || end < 0) break;
      counted += pieces.count(feed, at, end);
      at = end;
    }
    this.#at = feed.base + at;
    this.#counted = counted;
    if (at === end) {
      if (at >= feed.end && !feed.isFinal) feed.readSlice(at);
      return at - from + 1;
    }
    const read = (end === needsMore ? feed.end : end) - from + 1;
    if (end !== needsMore) this.#countPiece(feed.base + end);
    else if (feed.end - at > shortPieceBytes) this.#isPaused = true;
    else feed.readSlice(at);
    return read;
  }

  #findPausedEnd(): number {
    const feed = this.#feed;
    const end = this.#run.resume(feed);
    const read = feed.base + feed.end;
    if (end !== needsMore) {
      this.#isPaused = false;
      this.#countPiece(feed.base + end);
    } else if (this.#counted + (read - this.#at) / longestTokenBytes > this.#tokensMax) {
      this.#counted = this.#tokensMax + 1;
    }
    return feed.end;
  }

  #countPiece(end: number): void {
    const feed = this.#feed;
    const from = this.#at;
    const { pieces } = this.#engine;
    if (end - from > shortPieceBytes) {
      this.#longEnd = end;
      this.#long = new LongPiece({ feed, from, to: end }, pieces.merge);
      return;
    }
    feed.load(from, end);
    this.#counted += pieces.count(feed, from - feed.base, end - feed.base);
    this.#at = end;
  }

  #countLong(long: LongPiece, workMax: number): number {
    let work = 0;
    while (work < workMax) {
      work += long.nextBytes * longPieceCost;
      if (!long.advance()) continue;
      this.#counted += long.tokens;
      this.#at = this.#longEnd;
      this.#long = undefined;
      this.#engine.pieces.merge.release();
      break;
    }
    return work;
  }
}
