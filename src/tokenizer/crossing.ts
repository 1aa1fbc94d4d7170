import { unitsIn } from "./code-units.ts";
import { Feed } from "./feed.ts";
import { LongPiece } from "./long-piece.ts";
import { NEEDS_MORE } from "./runs.ts";
import { type Engine, SHORT_PIECE_BYTES_MAX } from "./text-count.ts";

/** The piece of a text with which its tokens pass a limit; places are offsets into the bytes in memory. */
export type Crossing = {
  readonly feed: Feed;
  /** Code units of the text before the bytes in memory. */
  readonly unitsBefore: number;
  /** Start of the piece before: a cut in the crossing piece can still change where that one ends. */
  readonly previous: number;
  readonly tokensBeforePrevious: number;
  readonly from: number;
  readonly to: number;
  readonly tokensBefore: number;
};

/** Finds the crossing piece of a `text` that has more than `tokensMax` tokens. */
export function findCrossing(engine: Engine, text: string, tokensMax: number): Crossing {
  const { pieceEnd, vocabulary } = engine;
  const feed = new Feed(text);
  let unitsBefore = 0;
  let previous = 0;
  let tokensBeforePrevious = 0;
  let from = 0;
  let tokensBefore = 0;
  for (;;) {
    const to = from < feed.end ? pieceEnd(feed, from, vocabulary) : NEEDS_MORE;
    if (to === NEEDS_MORE) {
      unitsBefore += unitsIn(feed.bytes, previous);
      feed.more(previous);
      from -= previous;
      previous = 0;
      continue;
    }
    const tokens = tokensBefore + tokensIn(engine, feed, from, to);
    if (tokens > tokensMax) {
      return { feed, unitsBefore, previous, tokensBeforePrevious, from, to, tokensBefore };
    }
    previous = from;
    tokensBeforePrevious = tokensBefore;
    from = to;
    tokensBefore = tokens;
  }
}

/** Tokens of the piece [from, to). */
function tokensIn({ pieces }: Engine, feed: Feed, from: number, to: number): number {
  if (to - from <= SHORT_PIECE_BYTES_MAX) return pieces.count(feed, from, to);
  const long = new LongPiece(feed, from, to, pieces.merge);
  while (!long.advance());
  return long.tokens;
}
