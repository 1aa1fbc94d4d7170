import { readFlags, newlineFlag, spaceFlag } from "./character-classes.ts";
import type { Engine } from "./engine.ts";
import { PausedRun, needsMore } from "./paused-run.ts";
import {
  Feed,
  countCodePointBytes,
  isContinuation,
  longestCodePointBytes,
  type Utf8,
} from "./feed.ts";
import { longestTokenBytes } from "./vocabulary-layout.ts";
import { LongPiece, shortPieceBytes } from "./piece-counter.ts";

// A long piece is cut no further than this from the end of its last token that fits.
const reachBytes = longestTokenBytes;

// The minimum number of tokens between a long piece's anchor and its last token that fits.
const slackTokens = 16;

type CutEnds = {
  readonly furthest: number;
  readonly nearest: number;
  countTokensTo(end: number): number;
};

/** Returns the code units of the longest prefix that fits. Tries every end: a longer text may have fewer tokens. */
export function cutWithin(
  engine: Engine,
  text: string,
  tokensMax: number,
  isWithin: (units: number) => boolean,
): number {
  const crossing = findCrossing(engine, text, tokensMax);
  const { feed, from, to } = crossing;
  const isLong = to - from > shortPieceBytes;
  const ends = isLong ? findLongEnds(engine, crossing, tokensMax) : findShortEnds(engine, crossing);
  for (let end = ends.furthest; end > ends.nearest; end--) {
    if (isInsideCodePoint(feed, end) || ends.countTokensTo(end) > tokensMax) continue;
    const units = feed.countUnitsBefore(end);
    if (isWithin(units)) return units;
  }
  return feed.countUnitsBefore(from);
}

function findShortEnds(engine: Engine, crossing: Crossing): CutEnds {
  const { feed, from, to } = crossing;
  feed.load(to, to + 1);
  const isLast = to >= feed.base + feed.end;
  const next = isLast ? to : findPieceEnd(engine, feed, to, new PausedRun(engine.vocabulary));
  return {
    furthest: Math.min(next, to + shortPieceBytes),
    nearest: from,
    countTokensTo: (end) => countCut(engine, crossing, end),
  };
}

function countCut(engine: Engine, crossing: Crossing, end: number): number {
  const { feed, previous, from, tokensBeforePrevious, tokensBefore } = crossing;
  if (from - previous <= shortPieceBytes) {
    return tokensBeforePrevious + countPieces(engine, feed, previous, end);
  }
  // The previous piece changes only if it is a run of spaces: without a word after it, it keeps its last space.
  if (!isOneSpace(engine, feed, from, end)) {
    return tokensBefore + countPieces(engine, feed, from, end);
  }
  return tokensBeforePrevious + countPiece(engine, feed, previous, end);
}

function countPieces(engine: Engine, feed: Feed, from: number, to: number): number {
  const { findEnd, pieces, vocabulary } = engine;
  feed.load(from, to);
  const { bytes, view, base } = feed;
  const text: Utf8 = { bytes, view, end: to - base, isFinal: true };
  const run = new PausedRun(vocabulary);
  let tokens = 0;
  for (let at = from - base; at < text.end;) {
    const end = findEnd(text, at, run);
    tokens += pieces.count(text, at, end);
    at = end;
  }
  return tokens;
}

function isOneSpace({ vocabulary }: Engine, feed: Feed, from: number, to: number): boolean {
  feed.load(from - longestCodePointBytes, to);
  const { bytes, base } = feed;
  const at = from - base;
  let before = at - 1;
  while (isContinuation(bytes[before] as number)) before--;
  return (
    to - from === countCodePointBytes(bytes[at] as number) &&
    (readFlags(bytes, at, vocabulary) & spaceFlag) !== 0 &&
    (readFlags(bytes, before, vocabulary) & (spaceFlag | newlineFlag)) === spaceFlag
  );
}

function findLongEnds(engine: Engine, crossing: Crossing, tokensMax: number): CutEnds {
  const { feed, from, to, tokensBefore } = crossing;
  const { merge } = engine.pieces;
  const tokensLeft = tokensMax - tokensBefore;
  const { anchor, anchorBytes, tokens, mergedTo } = findAnchor(engine, crossing, tokensLeft);
  const countTokensTo = (end: number) => {
    if (end - from <= shortPieceBytes) return countCut(engine, crossing, end);
    if (end <= anchor) return Infinity;
    feed.load(anchor, end);
    const parts = merge.run(feed, anchor - feed.base, end - feed.base);
    const isExact = anchorBytes === 0 || merge.ends[0] === anchorBytes;
    return isExact ? tokensBefore + tokens + parts : Infinity;
  };
  feed.load(anchor, mergedTo);
  merge.run(feed, anchor - feed.base, mergedTo - feed.base);
  let last = 0;
  for (let left = tokensLeft - tokens; left > 0; left--) last = merge.ends[last] as number;
  return {
    furthest: Math.min(to, anchor + last + reachBytes),
    nearest: Math.max(from, anchor + last - reachBytes),
    countTokensTo,
  };
}

type Anchor = {
  readonly anchor: number;
  readonly anchorBytes: number; // 0 at the start of the piece
  readonly tokens: number;
  readonly mergedTo: number;
};

function findAnchor(engine: Engine, crossing: Crossing, tokensLeft: number): Anchor {
  const piece = new LongPiece(crossing, engine.pieces.merge);
  let { anchor, anchorBytes, tokens } = piece;
  let mergedTo = crossing.from;
  for (let isDone = false; !isDone && piece.tokens <= tokensLeft;) {
    if (piece.tokens + slackTokens <= tokensLeft) ({ anchor, anchorBytes, tokens } = piece);
    mergedTo = Math.max(mergedTo, piece.anchor + piece.nextBytes);
    isDone = piece.advance();
  }
  return { anchor, anchorBytes, tokens, mergedTo };
}

function isInsideCodePoint(feed: Feed, position: number): boolean {
  feed.load(position, position + 1);
  const at = position - feed.base;
  return at < feed.end && isContinuation(feed.bytes[at] as number);
}

// The piece in which the tokens exceed the limit.
type Crossing = {
  readonly feed: Feed;
  // Where the previous piece starts. A cut can change where that piece ends.
  readonly previous: number;
  readonly tokensBeforePrevious: number;
  readonly from: number;
  readonly to: number;
  readonly tokensBefore: number;
};

export function findCrossing(engine: Engine, text: string, tokensMax: number): Crossing {
  const feed = new Feed(text);
  const run = new PausedRun(engine.vocabulary);
  let previous = 0;
  let tokensBeforePrevious = 0;
  let from = 0;
  let tokensBefore = 0;
  for (;;) {
    const to = findPieceEnd(engine, feed, from, run);
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

export function findPieceEnd(engine: Engine, feed: Feed, from: number, run: PausedRun): number {
  const { findEnd } = engine;
  feed.load(from, from + 1);
  let end = findEnd(feed, from - feed.base, run);
  if (end === needsMore) {
    feed.load(from, from + shortPieceBytes + 1);
    end = findEnd(feed, from - feed.base, run);
  }
  while (end === needsMore) end = run.resume(feed);
  return feed.base + end;
}

function countPiece({ pieces }: Engine, feed: Feed, from: number, to: number): number {
  if (to - from <= shortPieceBytes) {
    feed.load(from, to);
    return pieces.count(feed, from - feed.base, to - feed.base);
  }
  const long = new LongPiece({ feed, from, to }, pieces.merge);
  while (!long.advance());
  return long.tokens;
}
