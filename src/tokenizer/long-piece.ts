import type { Feed } from "./feed.ts";
import type { Merge } from "./merge.ts";

/** Bytes merged at a time to begin with. */
const FIRST_WINDOW_BYTES = 128;

/** Bytes at a window's right edge whose tokens are not trusted: what follows may change them. */
const GUARD_SHARE = 16;

/** How much wider a window gets when its tokens did not hold. */
const WIDENING = 4;

/** Numbers of the trail, three an anchor, before it is thinned. */
const TRAIL_MAX = 3 * 256;

/**
 * Counts one long piece window by window, so that the work can stop anywhere and only a window
 * has to be in memory.
 *
 * That windows give the exact result rests on this: a sequence of tokens is the merge of its bytes
 * exactly when every two neighbours are the merge of theirs. (Take the first merge across a border of
 * the sequence; before it both neighbours were merged as if alone, so it would also happen to the two
 * alone.) Neighbours inside one window satisfy that. The next window begins at the last token that
 * was kept, the anchor: when its own first token is the anchor again, the neighbours across the
 * windows satisfy it too. When it is not, the bytes to the right reach further back than the
 * window knew, and the previous anchor is tried again with a wider window: at worst the whole piece.
 */
export class LongPiece {
  /** Tokens before the anchor; all of them when `advance` said so. */
  tokens = 0;
  /** Place where the last token begins that was kept. */
  anchor: number;
  /** Bytes of the anchor token, 0 at the beginning where any token is right. */
  anchorBytes = 0;
  private readonly feed: Feed;
  private readonly to: number;
  private readonly merge: Merge;
  private windowBytes: number;
  /** Bytes the window before moved on by and the tokens in them, where this one may repeat it, else 0. */
  private moved = 0;
  private kept = 0;
  /** Earlier anchors, the nearest all, the further the fewer: place, bytes and tokens before each. */
  private readonly trail: number[] = [];

  /** The piece lies between two places of `feed`, which others may move meanwhile. */
  constructor(
    feed: Feed,
    from: number,
    to: number,
    merge: Merge,
    windowBytes = FIRST_WINDOW_BYTES,
  ) {
    this.windowBytes = windowBytes;
    this.feed = feed;
    this.to = to;
    this.merge = merge;
    this.anchor = from;
  }

  /** Bytes the next step will merge. */
  get nextBytes(): number {
    return Math.min(this.windowBytes, this.to - this.anchor);
  }

  /** Merges one window; true when the piece is counted. */
  advance(): boolean {
    const { merge, anchor, feed } = this;
    const end = anchor + this.nextBytes;
    feed.reach(anchor - this.moved, end);
    if (end < this.to && this.isRepeat()) {
      this.keep(this.moved, this.anchorBytes, this.kept);
      return false;
    }
    const parts = merge.run(feed, anchor - feed.base, end - feed.base);
    if (this.anchorBytes > 0 && merge.ends[0] !== this.anchorBytes) {
      this.goBack();
      return false;
    }
    if (end === this.to) {
      this.tokens += parts;
      return true;
    }
    this.moveOn(end - anchor, parts);
    return false;
  }

  /**
   * Whether the window holds the very bytes of the one before, as in a long run of one character, and
   * that one ended as it began: then it has the same tokens.
   */
  private isRepeat(): boolean {
    const { moved } = this;
    if (moved === 0) return false;
    const { view, base } = this.feed;
    const from = this.anchor - base;
    for (let at = from + this.windowBytes - 4; at >= from; at -= 4) {
      if (view.getInt32(at, true) !== view.getInt32(at - moved, true)) return false;
    }
    return true;
  }

  /** Makes the last token that can be trusted the next anchor; `parts` tokens in `length` bytes. */
  private moveOn(length: number, parts: number): void {
    const { starts } = this.merge;
    const trusted = length - Math.floor(length / GUARD_SHARE);
    let kept = parts - 1;
    let end = length;
    while (kept > 0 && end > trusted) {
      end = starts[end] as number;
      kept--;
    }
    const start = starts[end] as number;
    this.moved = 0;
    if (start * 2 < length) this.windowBytes *= WIDENING;
    else if (end - start === this.anchorBytes) {
      this.moved = start;
      this.kept = kept;
    }
    if (kept > 0) this.keep(start, end - start, kept);
  }

  private keep(bytes: number, anchorBytes: number, tokens: number): void {
    if (this.trail.length >= TRAIL_MAX) this.thinTrail();
    this.trail.push(this.anchor, this.anchorBytes, this.tokens);
    this.anchor += bytes;
    this.anchorBytes = anchorBytes;
    this.tokens += tokens;
  }

  /** Drops every second of the older half of the anchors; the first stays, and any will do to go back to. */
  private thinTrail(): void {
    const { trail } = this;
    const half = TRAIL_MAX / 2;
    for (let at = 6; at < half; at += 6) trail.copyWithin(at / 2, at, at + 3);
    trail.splice(half / 2, half / 2);
  }

  /** Tries again from an anchor so far back that all failures together cost no more than the last. */
  private goBack(): void {
    const { trail } = this;
    this.windowBytes *= WIDENING;
    this.moved = 0;
    const enough = this.anchor - this.windowBytes / 2;
    do {
      this.tokens = trail.pop() as number;
      this.anchorBytes = trail.pop() as number;
      this.anchor = trail.pop() as number;
    } while (this.anchor > enough && trail.length > 0);
  }
}
