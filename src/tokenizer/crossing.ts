import { Feed } from "./feed.ts";
import { LongPiece } from "./long-piece.ts";
import { NEEDS_MORE, Pause } from "./pause.ts";
import { type Engine, SHORT_PIECE_BYTES_MAX } from "./text-count.ts";

/** The piece of a text with which its tokens pass a limit, by places of `feed`. */
export type Crossing = {
  readonly feed: Feed;
  /** Start of the piece before: a cut in the crossing piece can still change where that one ends. */
  readonly previous: number;
  readonly tokensBeforePrevious: number;
  readonly from: number;
  readonly to: number;
  readonly tokensBefore: number;
};

/** Finds the crossing piece of a `text` that has more than `tokensMax` tokens. */
export function findCrossing(engine: Engine, text: string, tokensMax: number): Crossing {
  const feed = new Feed(text);
  const pause = new Pause();
  let previous = 0;
  let tokensBeforePrevious = 0;
  let from = 0;
  let tokensBefore = 0;
  for (;;) {
    const to = endOf(engine, feed, from, pause);
    const tokens = tokensBefore + tokensIn(engine, feed, from, to);
    if (tokens > tokensMax) {
      return { feed, previous, tokensBeforePrevious, from, to, tokensBefore };
    }
    previous = from;
    tokensBeforePrevious = tokensBefore;
    from = to;
    tokensBefore = tokens;
  }
}

/** Place where the piece ends that begins at `from`, which is not the end of the text. */
export function endOf(engine: Engine, feed: Feed, from: number, pause: Pause): number {
  const { pieceEnd, vocabulary } = engine;
  feed.reach(from, from + 1);
  let end = pieceEnd(feed, from - feed.base, vocabulary, pause);
  if (end === NEEDS_MORE) {
    feed.reach(from, from + SHORT_PIECE_BYTES_MAX + 1);
    end = pieceEnd(feed, from - feed.base, vocabulary, pause);
  }
  while (end === NEEDS_MORE) end = pause.goOn(feed, vocabulary);
  return feed.base + end;
}

/** Tokens of the piece between two places. */
export function tokensIn({ pieces }: Engine, feed: Feed, from: number, to: number): number {
  if (to - from <= SHORT_PIECE_BYTES_MAX) {
    feed.reach(from, to);
    return pieces.count(feed, from - feed.base, to - feed.base);
  }
  const long = new LongPiece(feed, from, to, pieces.merge);
  while (!long.advance());
  return long.tokens;
}
