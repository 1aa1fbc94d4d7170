import { flagsAt, isContinuation, POINT_BYTES_MAX, widthOf } from "./classes.ts";
import { type Crossing, endOf, findCrossing, tokensIn } from "./crossing.ts";
import type { Feed } from "./feed.ts";
import { NEWLINE, SPACE, TOKEN_BYTES_MAX } from "./layout.ts";
import { LongPiece } from "./long-piece.ts";
import { Pause } from "./pause.ts";
import { type Engine, SHORT_PIECE_BYTES_MAX } from "./text-count.ts";
import type { Utf8 } from "./utf8.ts";

/** How far from where the tokens run out an end is looked for in a long piece, either way. */
const REACH_BYTES = TOKEN_BYTES_MAX;

/** Tokens between the anchor that ends are merged from and where the tokens run out, at least. */
const SLACK_TOKENS = 16;

/** Places to try, from `furthest` down to `nearest`, and the tokens of the text before each. */
type Ends = {
  readonly furthest: number;
  readonly nearest: number;
  tokensTo(end: number): number;
};

/**
 * Where to cut a `text` that has more than `tokensMax` tokens, in code units. More text can have fewer
 * tokens, so every end around the place where they run out is tried, the furthest first;
 * `isWithin` has the last word on each.
 */
export function cutWithin(
  engine: Engine,
  text: string,
  tokensMax: number,
  isWithin: (units: number) => boolean,
): number {
  const crossing = findCrossing(engine, text, tokensMax);
  const { feed, from, to } = crossing;
  const isLong = to - from > SHORT_PIECE_BYTES_MAX;
  const ends = isLong ? longEnds(engine, crossing, tokensMax) : shortEnds(engine, crossing);
  for (let end = ends.furthest; end > ends.nearest; end--) {
    if (isInsideCodePoint(feed, end) || ends.tokensTo(end) > tokensMax) continue;
    const units = feed.unitsBefore(end);
    if (isWithin(units)) return units;
  }
  return feed.unitsBefore(from);
}

/** Ends within the crossing piece and the next. */
function shortEnds(engine: Engine, crossing: Crossing): Ends {
  const { feed, from, to } = crossing;
  feed.reach(to, to + 1);
  const isLast = to >= feed.base + feed.end;
  const next = isLast ? to : endOf(engine, feed, to, new Pause());
  return {
    furthest: Math.min(next, to + SHORT_PIECE_BYTES_MAX),
    nearest: from,
    tokensTo: (end) => tokensCutAt(engine, crossing, end),
  };
}

/** Tokens when the text ends at `end`; pieces are cut anew from the one before the crossing one. */
function tokensCutAt(engine: Engine, crossing: Crossing, end: number): number {
  const { feed, previous, from, tokensBeforePrevious, tokensBefore } = crossing;
  if (from - previous <= SHORT_PIECE_BYTES_MAX) {
    return tokensBeforePrevious + tokensBetween(engine, feed, previous, end);
  }
  // Only spaces depend on what follows: the last is left for a word that is cut away here.
  if (!isOneSpace(engine, feed, from, end)) {
    return tokensBefore + tokensBetween(engine, feed, from, end);
  }
  return tokensBeforePrevious + tokensIn(engine, feed, previous, end);
}

function tokensBetween(engine: Engine, feed: Feed, from: number, to: number): number {
  const { pieceEnd, pieces, vocabulary } = engine;
  feed.reach(from, to);
  const { bytes, view, base } = feed;
  const text: Utf8 = { bytes, view, end: to - base, isFinal: true };
  let tokens = 0;
  for (let at = from - base; at < text.end;) {
    const end = pieceEnd(text, at, vocabulary, new Pause());
    tokens += pieces.count(text, at, end);
    at = end;
  }
  return tokens;
}

/** Whether all between the places is one space, which stands behind another that ends no line. */
function isOneSpace({ vocabulary }: Engine, feed: Feed, from: number, to: number): boolean {
  feed.reach(from - POINT_BYTES_MAX, to);
  const { bytes, base } = feed;
  const at = from - base;
  let before = at - 1;
  while (isContinuation(bytes[before] as number)) before--;
  return (
    to - from === widthOf(bytes[at] as number) &&
    (flagsAt(bytes, at, vocabulary) & SPACE) !== 0 &&
    (flagsAt(bytes, before, vocabulary) & (SPACE | NEWLINE)) === SPACE
  );
}

/** Ends within a long piece, near its last token that fits; only the bytes from an anchor on are merged. */
function longEnds(engine: Engine, crossing: Crossing, tokensMax: number): Ends {
  const { feed, from, to, tokensBefore } = crossing;
  const { merge } = engine.pieces;
  const piece = new LongPiece(feed, from, to, merge);
  const tokensLeft = tokensMax - tokensBefore;
  let { anchor, anchorBytes, tokens } = piece;
  let mergedTo = from;
  for (let isDone = false; !isDone && piece.tokens <= tokensLeft;) {
    if (piece.tokens + SLACK_TOKENS <= tokensLeft) ({ anchor, anchorBytes, tokens } = piece);
    mergedTo = Math.max(mergedTo, piece.anchor + piece.nextBytes);
    isDone = piece.advance();
  }
  const tokensTo = (end: number) => {
    if (end - from <= SHORT_PIECE_BYTES_MAX) return tokensCutAt(engine, crossing, end);
    if (end <= anchor) return Number.POSITIVE_INFINITY;
    feed.reach(anchor, end);
    const parts = merge.run(feed, anchor - feed.base, end - feed.base);
    const isExact = anchorBytes === 0 || merge.ends[0] === anchorBytes;
    return isExact ? tokensBefore + tokens + parts : Number.POSITIVE_INFINITY;
  };
  feed.reach(anchor, mergedTo);
  merge.run(feed, anchor - feed.base, mergedTo - feed.base);
  let last = 0;
  for (let left = tokensLeft - tokens; left > 0; left--) last = merge.ends[last] as number;
  return {
    furthest: Math.min(to, anchor + last + REACH_BYTES),
    nearest: Math.max(from, anchor + last - REACH_BYTES),
    tokensTo,
  };
}

function isInsideCodePoint(feed: Feed, place: number): boolean {
  feed.reach(place, place + 1);
  const at = place - feed.base;
  return at < feed.end && isContinuation(feed.bytes[at] as number);
}
