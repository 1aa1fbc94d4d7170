import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { longestTokenBytes } from "./layout.ts";
import { LongPiece, shortPieceBytes } from "./long-piece.ts";
import { needsMore, Scan } from "./scan.ts";

/** Work of a byte in a long piece: merging takes about three times as long as lookups. */
const longPieceCost = 3;

/**
 * Counts one text; several counts may share an engine. A piece whose end is far away is read twice, first to
 * find its end and then to count its tokens, so that it never has to be in memory as a whole.
 */
export class TextCount {
  readonly #engine: Engine;
  readonly #feed: Feed;
  readonly #tokensMax: number;
  #counted = 0;
  /** Position at which the first piece begins that is not counted. */
  #at = 0;
  /** The scan for the end of that piece. */
  readonly #scan: Scan;
  #isPaused = false;
  #long: LongPiece | undefined;
  #longEnd = 0;

  /** Counting may end early once there are certainly more tokens than `tokensMax`. */
  constructor(engine: Engine, feed: Feed, tokensMax = Infinity) {
    this.#engine = engine;
    this.#feed = feed;
    this.#tokensMax = tokensMax;
    this.#scan = new Scan(engine.vocabulary);
  }

  /** Tokens of the pieces counted so far. */
  get tokens(): number {
    return this.#counted + (this.#long?.tokens ?? 0);
  }

  get #isDone(): boolean {
    const feed = this.#feed;
    const isAtEnd = feed.isFinal && this.#at >= feed.base + feed.end;
    return isAtEnd || this.#counted > this.#tokensMax;
  }

  /** Does about `workMax` bytes of work; true when all is counted, or certainly more than `tokensMax`. */
  advance(workMax: number): boolean {
    for (let work = workMax; work > 0 && !this.#isDone;) {
      if (this.#long !== undefined) work -= this.#countLong(this.#long, work);
      else if (this.#isPaused) work -= this.#findEnd();
      else work -= this.#countPieces(work);
    }
    return this.#isDone;
  }

  /**
   * Counts pieces that begin within `workMax` bytes, up to one that is long or ends outside memory. Returns
   * the bytes read.
   */
  #countPieces(workMax: number): number {
    const feed = this.#feed;
    const tokensMax = this.#tokensMax;
    const scan = this.#scan;
    const { pieceEnd, pieces } = this.#engine;
    const from = this.#at - feed.base;
    const stop = Math.min(feed.end, from + workMax);
    let counted = this.#counted;
    let at = from;
    let end = needsMore;
    while (at < stop && counted <= tokensMax) {
      end = pieceEnd(feed, at, scan);
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

  /** Reads one slice in search of the end of a piece that is not in memory; returns the bytes read. */
  #findEnd(): number {
    const feed = this.#feed;
    const end = this.#scan.resume(feed);
    const read = feed.base + feed.end;
    if (end !== needsMore) {
      this.#isPaused = false;
      this.#countPiece(feed.base + end);
    } else if (this.#counted + (read - this.#at) / longestTokenBytes > this.#tokensMax) {
      this.#counted = this.#tokensMax + 1;
    }
    return feed.end;
  }

  /** Counts the piece up to position `end`, or begins to when it is long. */
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

  /** Merges windows of a long piece for about `workMax`; returns the work done. */
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
