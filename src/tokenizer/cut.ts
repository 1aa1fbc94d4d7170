import { unitsIn } from "./code-units.ts";
import { type Crossing, findCrossing } from "./crossing.ts";
import { TOKEN_BYTES_MAX } from "./layout.ts";
import { LongPiece } from "./long-piece.ts";
import { type Engine, SHORT_PIECE_BYTES_MAX } from "./text-count.ts";
import type { Utf8 } from "./utf8.ts";

/** How far from where the tokens run out an end is looked for in a long piece, either way. */
const REACH_BYTES = TOKEN_BYTES_MAX;

/** Tokens between the anchor that ends are merged from and where the tokens run out, at least. */
const SLACK_TOKENS = 16;

/** Ends to try, from `furthest` down to `nearest`, and the tokens of the text before each. */
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
  const { feed, unitsBefore, from, to } = crossing;
  const isLong = to - from > SHORT_PIECE_BYTES_MAX;
  const ends = isLong ? longEnds(engine, crossing, tokensMax) : shortEnds(engine, crossing);
  for (let end = ends.furthest; end > ends.nearest; end--) {
    if (isInsideCodePoint(feed, end) || ends.tokensTo(end) > tokensMax) continue;
    const units = unitsBefore + unitsIn(feed.bytes, end);
    if (isWithin(units)) return units;
  }
  return unitsBefore + unitsIn(feed.bytes, from);
}

/** Ends within the crossing piece and the next. */
function shortEnds(engine: Engine, crossing: Crossing): Ends {
  const { feed, from, to } = crossing;
  const next = to < feed.end ? engine.pieceEnd(feed, to, engine.vocabulary) : to;
  return {
    furthest: Math.max(to, Math.min(next, to + SHORT_PIECE_BYTES_MAX)),
    nearest: from,
    tokensTo: (end) => tokensCutAt(engine, crossing, end),
  };
}

/** Tokens when the text ends at `end`; pieces are cut anew from the one before the crossing one. */
function tokensCutAt(engine: Engine, crossing: Crossing, end: number): number {
  const { pieceEnd, pieces, vocabulary } = engine;
  const { bytes, view } = crossing.feed;
  const text: Utf8 = { bytes, view, end, isFinal: true };
  let tokens = crossing.tokensBeforePrevious;
  for (let at = crossing.previous; at < end;) {
    const pieceTo = pieceEnd(text, at, vocabulary);
    tokens += pieces.count(text, at, pieceTo);
    at = pieceTo;
  }
  return tokens;
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
    const parts = merge.run(feed, anchor, end);
    const isExact = anchorBytes === 0 || merge.ends[0] === anchorBytes;
    return isExact ? tokensBefore + tokens + parts : Number.POSITIVE_INFINITY;
  };
  merge.run(feed, anchor, mergedTo);
  let last = 0;
  for (let left = tokensLeft - tokens; left > 0; left--) last = merge.ends[last] as number;
  return {
    furthest: Math.min(to, anchor + last + REACH_BYTES),
    nearest: Math.max(from, anchor + last - REACH_BYTES),
    tokensTo,
  };
}

function isInsideCodePoint({ bytes, end }: Utf8, at: number): boolean {
  return at < end && ((bytes[at] as number) & 0xc0) === 0x80;
}
