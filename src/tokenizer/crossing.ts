import type { Engine } from "./engine.ts";
import { Feed } from "./feed.ts";
import { LongPiece, shortPieceBytes } from "./long-piece.ts";
import { needsMore, Scan } from "./scan.ts";

/** The piece in which a text exceeds a number of tokens, by positions of `feed`. */
export type Crossing = {
  readonly feed: Feed;
  /** Start of the piece before: a cut within the crossing piece can still change the end of that one. */
  readonly previous: number;
  readonly tokensBeforePrevious: number;
  readonly from: number;
  readonly to: number;
  readonly tokensBefore: number;
};

/** Finds the crossing piece of a `text` of more than `tokensMax` tokens. */
export function findCrossing(engine: Engine, text: string, tokensMax: number): Crossing {
  const feed = new Feed(text);
  const scan = new Scan(engine.vocabulary);
  let previous = 0;
  let tokensBeforePrevious = 0;
  let from = 0;
  let tokensBefore = 0;
  for (;;) {
    const to = findPieceEnd(engine, feed, from, scan);
    const tokens = tokensBefore + countPiece(engine, feed, from, to);
    if (tokens > tokensMax) {
      return { feed, previous, tokensBeforePrevious, from, to, tokensBefore };
    }
    previous = from;
    tokensBeforePrevious = tokensBefore;
    from = to;
    tokensBefore = tokens;
  }
}

/** Position at which the piece ends that begins at `from`, which must not be the end of the text. */
export function findPieceEnd(engine: Engine, feed: Feed, from: number, scan: Scan): number {
  const { pieceEnd } = engine;
  feed.load(from, from + 1);
  let end = pieceEnd(feed, from - feed.base, scan);
  if (end === needsMore) {
    feed.load(from, from + shortPieceBytes + 1);
    end = pieceEnd(feed, from - feed.base, scan);
  }
  while (end === needsMore) end = scan.resume(feed);
  return feed.base + end;
}

/** Tokens of the piece between two positions. */
export function countPiece({ pieces }: Engine, feed: Feed, from: number, to: number): number {
  if (to - from <= shortPieceBytes) {
    feed.load(from, to);
    return pieces.count(feed, from - feed.base, to - feed.base);
  }
  const long = new LongPiece({ feed, from, to }, pieces.merge);
  while (!long.advance());
  return long.tokens;
}
