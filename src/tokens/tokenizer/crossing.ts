import type { Engine } from "./engine.ts";
import { Feed } from "./feed.ts";
import { LongPiece, shortPieceBytes } from "./long-piece.ts";
import { needsMore, Scan } from "./scan.ts";

export type Crossing = {
  readonly feed: Feed;
  /** A cut within the crossing piece can still change where this one ends. */
  readonly previous: number;
  readonly tokensBeforePrevious: number;
  readonly from: number;
  readonly to: number;
  readonly tokensBefore: number;
};

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

export function countPiece({ pieces }: Engine, feed: Feed, from: number, to: number): number {
  if (to - from <= shortPieceBytes) {
    feed.load(from, to);
    return pieces.count(feed, from - feed.base, to - feed.base);
  }
  const long = new LongPiece({ feed, from, to }, pieces.merge);
  while (!long.advance());
  return long.tokens;
}
