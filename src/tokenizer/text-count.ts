import { Feed } from "./feed.ts";
import { TOKEN_BYTES_MAX } from "./layout.ts";
import { LongPiece } from "./long-piece.ts";
import type { PieceCounter } from "./piece-counter.ts";
import { NEEDS_MORE } from "./runs.ts";
import type { Utf8 } from "./utf8.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Pieces longer than this, in bytes, are counted window by window. */
export const SHORT_PIECE_BYTES_MAX = 160;

/** Work of a byte in a long piece: merging takes some three times as long as looking words up. */
const LONG_PIECE_COST = 3;

/** Where a piece ends that begins at `at`, or NEEDS_MORE. */
export type PieceEnd = (text: Utf8, at: number, vocabulary: Vocabulary) => number;

/** What counts need that read one encoding. */
export type Engine = {
  readonly vocabulary: Vocabulary;
  readonly pieceEnd: PieceEnd;
  readonly pieces: PieceCounter;
};

/** One text being counted; several may be under way with the same engine. */
export class TextCount {
  private readonly engine: Engine;
  private readonly feed: Feed;
  private readonly tokensMax: number;
  private counted = 0;
  private at = 0;
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

  /** Does about `workMax` bytes of work; true when all is counted, or surely more than `tokensMax`. */
  advance(workMax: number): boolean {
    let work = workMax;
    while (work > 0) {
      if (this.long !== undefined) {
        work -= this.countLong(this.long, work);
        continue;
      }
      const from = this.at;
      const end = this.countPieces(Math.min(this.feed.end, from + work));
      work -= this.at - from + 1;
      if (this.counted > this.tokensMax) return true;
      if (end === NEEDS_MORE) {
        if (this.feed.isFinal) return true;
        if (this.counted + (this.feed.end - this.at) / TOKEN_BYTES_MAX > this.tokensMax) {
          this.counted = this.tokensMax + 1;
          return true;
        }
        work -= this.feed.end - this.at;
        this.feed.more(this.at);
        this.at = 0;
      } else if (end > 0) {
        this.longEnd = end;
        this.long = new LongPiece(this.feed, this.at, end, this.engine.pieces.merge);
      }
    }
    return this.long === undefined && this.at >= this.feed.end && this.feed.isFinal;
  }

  /**
   * Counts pieces from `at` until one begins at `stop` or later. Returns 0 then, NEEDS_MORE when the
   * bytes in memory do not reach, or the end of a long piece that begins at `at`.
   */
  private countPieces(stop: number): number {
    const { feed, tokensMax } = this;
    const { pieceEnd, pieces, vocabulary } = this.engine;
    let { at, counted } = this;
    let answer = 0;
    while (at < stop && counted <= tokensMax) {
      const end = pieceEnd(feed, at, vocabulary);
      if (end - at > SHORT_PIECE_BYTES_MAX || end < 0) {
        answer = end;
        break;
      }
      counted += pieces.count(feed, at, end);
      at = end;
    }
    this.at = at;
    this.counted = counted;
    return at >= feed.end ? NEEDS_MORE : answer;
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
