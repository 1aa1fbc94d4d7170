import type { Feed } from "./feed.ts";
import { TOKEN_BYTES_MAX } from "./layout.ts";
import { LongPiece } from "./long-piece.ts";
import { NEEDS_MORE, Pause } from "./pause.ts";
import type { PieceCounter } from "./piece-counter.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Pieces longer than this, in bytes, are counted window by window. */
export const SHORT_PIECE_BYTES_MAX = 160;

/** Work of a byte in a long piece: merging takes some three times as long as looking words up. */
const LONG_PIECE_COST = 3;

/**
 * Where a piece ends that begins at `at`, or NEEDS_MORE; `pause` can go on where the bytes in memory
 * are more than a short piece.
 */
export type PieceEnd = (text: Utf8, at: number, vocabulary: Vocabulary, pause: Pause) => number;

/** What counts need that read one encoding. */
export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly pieces: PieceCounter;
};

/**
 * One text being counted; several may be under way with the same engine. A piece whose end is far is
 * read twice, first for its end and then for its tokens, so that it never has to be in memory whole.
 */
export class TextCount {
  private readonly engine: Engine;
  private readonly feed: Feed;
  private readonly tokensMax: number;
  private counted = 0;
  /** Place where the first piece begins that is not counted. */
  private at = 0;
  /** Where the scan for the end of that piece left off. */
  private readonly pause = new Pause();
  private isPaused = false;
  private long: LongPiece | undefined;
  private longEnd = 0;

  /** Counting may end early once there are surely more tokens than `tokensMax`. */
  constructor(engine: Engine, feed: Feed, tokensMax = Number.POSITIVE_INFINITY) {
    this.engine = engine;
    this.feed = feed;
    this.tokensMax = tokensMax;
  }

  /** Tokens of the pieces counted so far. */
  get tokens(): number {
    return this.counted + (this.long?.tokens ?? 0);
  }

  private get isDone(): boolean {
    const { at, feed } = this;
    return this.counted > this.tokensMax || (feed.isFinal && at >= feed.base + feed.end);
  }

  /** Does about `workMax` bytes of work; true when all is counted, or surely more than `tokensMax`. */
  advance(workMax: number): boolean {
    for (let work = workMax; work > 0 && !this.isDone;) {
      if (this.long !== undefined) work -= this.countLong(this.long, work);
      else if (this.isPaused) work -= this.findEnd();
      else work -= this.countPieces(work);
    }
    return this.isDone;
  }

  /** Counts pieces that begin within `workMax` bytes, up to one that is long or ends outside memory. */
  private countPieces(workMax: number): number {
    const { feed, tokensMax, pause } = this;
    const { pieceEnd, pieces, vocabulary } = this.engine;
    const from = this.at - feed.base;
    const stop = Math.min(feed.end, from + workMax);
    let { counted } = this;
    let at = from;
    let end = NEEDS_MORE;
    while (at < stop && counted <= tokensMax) {
      end = pieceEnd(feed, at, vocabulary, pause);
      if (end - at > SHORT_PIECE_BYTES_MAX || end < 0) break;
      counted += pieces.count(feed, at, end);
      at = end;
    }
    this.at = feed.base + at;
    this.counted = counted;
    if (at === end) {
      if (at >= feed.end && !feed.isFinal) feed.more(at);
      return at - from + 1;
    }
    const read = (end === NEEDS_MORE ? feed.end : end) - from + 1;
    if (end !== NEEDS_MORE) this.countPiece(feed.base + end);
    else if (feed.end - at > SHORT_PIECE_BYTES_MAX) this.isPaused = true;
    else feed.more(at);
    return read;
  }

  /** Reads one slice in search of the end of a piece that is not in memory. */
  private findEnd(): number {
    const { feed } = this;
    const end = this.pause.goOn(feed, this.engine.vocabulary);
    const read = feed.base + feed.end;
    if (end !== NEEDS_MORE) {
      this.isPaused = false;
      this.countPiece(feed.base + end);
    } else if (this.counted + (read - this.at) / TOKEN_BYTES_MAX > this.tokensMax) {
      this.counted = this.tokensMax + 1;
    }
    return feed.end;
  }

  /** Counts the piece from `at` to the place `end`, or begins to. */
  private countPiece(end: number): void {
    const { at, feed } = this;
    const { pieces } = this.engine;
    if (end - at > SHORT_PIECE_BYTES_MAX) {
      this.longEnd = end;
      this.long = new LongPiece(feed, at, end, pieces.merge);
      return;
    }
    feed.reach(at, end);
    this.counted += pieces.count(feed, at - feed.base, end - feed.base);
    this.at = end;
  }

  private countLong(long: LongPiece, workMax: number): number {
    let work = 0;
    while (work < workMax) {
      work += long.nextBytes * LONG_PIECE_COST;
      if (!long.advance()) continue;
      this.counted += long.tokens;
      this.at = this.longEnd;
      this.long = undefined;
      this.engine.pieces.merge.release();
      break;
    }
    return work;
  }
}
