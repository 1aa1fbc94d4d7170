import { noRank, finishHash, hashWord } from "./vocabulary-layout.ts";
import { Merge } from "./merge.ts";
import { type Utf8, paddingBytes, type Feed } from "./feed.ts";
import type { Vocabulary } from "./vocabulary.ts";

const entryCount = 2048;

// The 32-bit words of an entry: 4 for the bytes of a piece, 1 for its length, 1 for its token count, 2 unused.
const entryWords = 8;

export const cachedPieceBytes = paddingBytes;

// Does not grow: a new piece replaces the older one in its slot.
export class PieceCache {
  readonly #entries = new Int32Array(entryCount * entryWords);
  readonly #key = new Int32Array(cachedPieceBytes / 4);
  #at = 0;

  get(text: Utf8, from: number, length: number): number {
    const entries = this.#entries;
    const key = this.#key;
    let hash = length;
    for (let word = 0; word < 4; word++) {
      const value = readKeyWord(text.view, from + word * 4, length - word * 4);
      key[word] = value;
      hash = hashWord(hash, value);
    }
    const at = (finishHash(hash) & (entryCount - 1)) * entryWords;
    this.#at = at;
    const isHit =
      entries[at] === key[0] &&
      entries[at + 1] === key[1] &&
      entries[at + 2] === key[2] &&
      entries[at + 3] === key[3] &&
      entries[at + 4] === length;
    return isHit ? (entries[at + 5] as number) : 0;
  }

  // Stores the token count of the piece last passed to `get`.
  put(length: number, count: number): void {
    const entries = this.#entries;
    const at = this.#at;
    entries.set(this.#key, at);
    entries[at + 4] = length;
    entries[at + 5] = count;
  }
}

function readKeyWord(view: DataView, at: number, bytes: number): number {
  if (bytes <= 0) return 0;
  const word = view.getInt32(at, true);
  return bytes >= 4 ? word : word & ((1 << (bytes * 8)) - 1);
}

export class PieceCounter {
  readonly merge: Merge;
  readonly #vocabulary: Vocabulary;
  readonly #cache = new PieceCache();

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.merge = new Merge(vocabulary);
  }

  count(text: Utf8, from: number, to: number): number {
    const length = to - from;
    if (length === 1) return 1;
    if (this.#vocabulary.findRank(text, from, length) !== noRank) return 1;
    if (length === 2) return 2;
    if (length > cachedPieceBytes) return this.merge.run(text, from, to);
    const cached = this.#cache.get(text, from, length);
    if (cached > 0) return cached;
    const count = this.merge.run(text, from, to);
    this.#cache.put(length, count);
    return count;
  }
}

export const shortPieceBytes = 160;

const firstWindowBytes = 128;

// Tokens in the last 1/16 of a window are not kept, because later bytes may change them.
const guardDivisor = 16;

const widening = 4;

const trailLengthMax = 3 * 256;

type PieceSpan = { readonly feed: Feed; readonly from: number; readonly to: number };

// Counts one long piece window by window: the work can pause after each window, and memory holds only one window.
//
// Why this is exact: two neighboring tokens pass a test if merging only their bytes gives the same two tokens. If all
// neighbors pass, merging all bytes gives the same tokens. (Suppose that all neighbors pass, but there is a merge that
// crosses the border between two tokens. All merges before the first such merge are within tokens. Hence this merge
// also happens when only the bytes of these two tokens are merged, but then these tokens fail the test.) Conversely, in
// any result of merging, all neighbors pass. A window is merged as a whole, so all neighbors in it pass. The next
// window starts at the last kept token, the anchor. If the first token of the next window is the anchor again, the
// neighbors across the two windows pass too. If not, the anchor was changed by bytes after the previous window. Then an
// earlier anchor is tried with a wider window, in the worst case the whole piece.
export class LongPiece {
  tokens = 0;
  anchor: number;
  anchorBytes = 0;
  readonly #feed: Feed;
  readonly #to: number;
  readonly #merge: Merge;
  #windowBytes: number;
  // How far the last window moved the anchor; 0 if the old and new anchors differ in length, or the window was widened.
  // While the bytes repeat, as in a long run of one character, windows need no merge: each window moves the anchor
  // by the same distance and adds the same number of tokens.
  #repeatBytes = 0;
  #repeatTokens = 0;
  // For each earlier anchor: its position, its length and the tokens before it. `#thinTrail` limits their number.
  readonly #trail: number[] = [];

  constructor({ feed, from, to }: PieceSpan, merge: Merge, windowBytes = firstWindowBytes) {
    this.#windowBytes = windowBytes;
    this.#feed = feed;
    this.#to = to;
    this.#merge = merge;
    this.anchor = from;
  }

  get nextBytes(): number {
    return Math.min(this.#windowBytes, this.#to - this.anchor);
  }

  advance(): boolean {
    const { anchor } = this;
    const feed = this.#feed;
    const merge = this.#merge;
    const end = anchor + this.nextBytes;
    feed.load(anchor - this.#repeatBytes, end);
    if (end < this.#to && this.#isRepeat()) {
      this.#keep(this.#repeatBytes, this.anchorBytes, this.#repeatTokens);
      return false;
    }
    const tokens = merge.run(feed, anchor - feed.base, end - feed.base);
    if (this.anchorBytes > 0 && merge.ends[0] !== this.anchorBytes) {
      this.#goBack();
      return false;
    }
    if (end === this.#to) {
      this.tokens += tokens;
      return true;
    }
    this.#moveAnchor(end - anchor, tokens);
    return false;
  }

  #isRepeat(): boolean {
    const repeatBytes = this.#repeatBytes;
    if (repeatBytes === 0) return false;
    const { view, base } = this.#feed;
    const from = this.anchor - base;
    const last = from + this.#windowBytes - 4;
    const isSame = (at: number) =>
      view.getInt32(at, true) === view.getInt32(at - repeatBytes, true);
    for (let at = from; at < last; at += 4) if (!isSame(at)) return false;
    return isSame(last);
  }

  #moveAnchor(length: number, tokens: number): void {
    const { starts } = this.#merge;
    const trusted = length - Math.floor(length / guardDivisor);
    let keptTokens = tokens - 1;
    let end = length;
    while (keptTokens > 0 && end > trusted) {
      end = starts[end] as number;
      keptTokens--;
    }
    const start = starts[end] as number;
    this.#repeatBytes = 0;
    if (start * 2 < length) this.#windowBytes *= widening;
    else if (end - start === this.anchorBytes) {
      this.#repeatBytes = start;
      this.#repeatTokens = keptTokens;
    }
    if (keptTokens > 0) this.#keep(start, end - start, keptTokens);
  }

  #keep(bytes: number, anchorBytes: number, tokens: number): void {
    if (this.#trail.length >= trailLengthMax) this.#thinTrail();
    this.#trail.push(this.anchor, this.anchorBytes, this.tokens);
    this.anchor += bytes;
    this.anchorBytes = anchorBytes;
    this.tokens += tokens;
  }

  // Drops every second anchor in the older half, but never the first.
  #thinTrail(): void {
    const trail = this.#trail;
    const half = trailLengthMax / 2;
    for (let at = 6; at < half; at += 6) trail.copyWithin(at / 2, at, at + 3);
    trail.splice(half / 2, half / 2);
  }

  // Each call aims to go back at least four times as far as the call before. So all earlier calls together caused no
  // more repeated work than this one.
  #goBack(): void {
    const trail = this.#trail;
    this.#windowBytes *= widening;
    this.#repeatBytes = 0;
    const target = this.anchor - this.#windowBytes / 2;
    do {
      this.tokens = trail.pop() as number;
      this.anchorBytes = trail.pop() as number;
      this.anchor = trail.pop() as number;
    } while (this.anchor > target && trail.length > 0);
  }
}
