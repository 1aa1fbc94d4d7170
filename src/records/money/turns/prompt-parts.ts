import type { CallSums, NanoDollars, TurnPrices } from "./turn.ts";

// A part costs the same in all turns with one price, so it is enough to count them.
export class TurnsByPrice {
  readonly #prices: Float64Array;
  readonly #turns: Float64Array;
  #known = 0;

  constructor(pricesMax: number) {
    this.#prices = new Float64Array(pricesMax);
    this.#turns = new Float64Array(pricesMax);
  }

  hasRoomFor(price: number): boolean {
    return this.#known < this.#prices.length || this.#findIndex(price) < this.#known;
  }

  add(price: number): void {
    const index = this.#findIndex(price);
    if (index === this.#known) this.#known += 1;
    this.#prices[index] = price;
    this.#turns[index] = (this.#turns[index] ?? 0) + 1;
  }

  clear(): void {
    this.#known = 0;
    this.#turns.fill(0);
  }

  saveCounts(savedCounts: Float64Array, row: number): void {
    const [turns, from] = [this.#turns, row * this.#turns.length];
    for (let index = 0; index < turns.length; index += 1)
      savedCounts[from + index] = turns[index] ?? 0;
  }

  priceSince(savedCounts: Float64Array, row: number, tokens: number): number {
    const [prices, turns, from] = [this.#prices, this.#turns, row * this.#turns.length];
    let cost = 0;
    for (let index = 0; index < this.#known; index += 1) {
      const since = (turns[index] ?? 0) - (savedCounts[from + index] ?? 0);
      cost += since * Math.floor(tokens * (prices[index] ?? 0));
    }
    return cost;
  }

  #findIndex(price: number): number {
    let index = 0;
    while (index < this.#known && this.#prices[index] !== price) index += 1;
    return index;
  }
}

export const promptPartsMax = 5_000;

export const cachedPricesMax = 8;

export type NewPart = {
  readonly call: number;
  readonly tokens: number;
  readonly isAnswer: boolean;
};

// Follows the arguments and answers in the prompt, and adds up their costs. For parts in its cached beginning, it
// counts turns instead of costs, so that a turn takes time for the other parts only.
export class PromptParts {
  readonly #sums: CallSums;
  readonly #cached = new TurnsByPrice(cachedPricesMax);
  readonly #columns = new PartColumns();
  // The rows from `first` to `end` are in use. Before `counted`, only turns are counted; from `added` on, rows are new.
  #first = 0;
  #counted = 0;
  #added = 0;
  #end = 0;
  #turn = 0;

  constructor(sums: CallSums) {
    this.#sums = sums;
  }

  clear(): void {
    this.#sumUp(this.#first, this.#end);
    this.#first = 0;
    this.#counted = 0;
    this.#added = 0;
    this.#end = 0;
  }

  add(start: number, parts: readonly NewPart[]): void {
    const known = this.#end - this.#first;
    const excess = known + parts.length - promptPartsMax;
    const dropped = Math.max(0, Math.min(excess, known));
    this.#sumUp(this.#first, this.#first + dropped);
    this.#first += dropped;
    this.#counted = Math.max(this.#counted, this.#first);
    this.#added = this.#end;
    let next = start;
    for (const [index, part] of parts.entries()) {
      const from = next;
      next += part.tokens;
      if (index >= excess - dropped && part.tokens > 0) this.#push(from, next, part);
    }
  }

  // Removes for good the parts that are no longer in the prompt.
  charge(prompt: Prompt): void {
    const { cached, prices } = prompt;
    this.#cut(prompt.size);
    const border = this.#findFirstBeyond(cached);
    this.#settle(border);
    if (!this.#cached.hasRoomFor(prices.cached)) {
      this.#settle(this.#first);
      this.#cached.clear();
    }
    this.#cached.add(prices.cached);
    this.#chargeAdded(prompt);
    this.#charge(this.#counted, Math.min(this.#added, this.#end), prompt);
    const { savedCounts } = this.#columns;
    for (let at = this.#counted; at < border; at += 1) this.#cached.saveCounts(savedCounts, at);
    this.#counted = Math.max(this.#counted, border);
    this.#added = this.#end;
    this.#turn += 1;
  }

  #push(start: number, end: number, { call, isAnswer }: NewPart): void {
    if (this.#end === this.#columns.rowsMax) this.#makeRoom();
    const { starts, ends, owners, since, costs } = this.#columns;
    starts[this.#end] = start;
    ends[this.#end] = end;
    owners[this.#end] = 2 * call + (isAnswer ? 1 : 0);
    since[this.#end] = this.#turn + (isAnswer ? 1 : 0);
    costs[this.#end] = 0;
    this.#end += 1;
  }

  #makeRoom(): void {
    const from = this.#first;
    this.#columns.move(from, this.#end);
    this.#first = 0;
    this.#counted -= from;
    this.#added -= from;
    this.#end -= from;
  }

  #cut(size: number): void {
    const { starts, ends, since } = this.#columns;
    while (this.#end > this.#first && (ends[this.#end - 1] ?? 0) > size) {
      const last = this.#end - 1;
      if (last < this.#added) this.#sumUp(last, this.#end);
      this.#counted = Math.min(this.#counted, last);
      if ((starts[last] ?? 0) < size) {
        ends[last] = size;
        since[last] = Math.max(since[last] ?? 0, this.#turn);
        return;
      }
      this.#end = last;
    }
  }

  #findFirstBeyond(tokens: number): number {
    const { ends } = this.#columns;
    let [low, high] = [this.#first, this.#end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > tokens) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // The model reads new answers for the first time. It wrote new arguments, so they are carried like all other parts.
  #chargeAdded(prompt: Prompt): void {
    const { starts, ends, owners, costs } = this.#columns;
    for (let at = this.#added; at < this.#end; at += 1) {
      const owner = owners[at] ?? 0;
      this.#charge(at, at + 1, prompt);
      if (owner % 2 === 0) continue;
      this.#sums.addFirstRead(owner >> 1, costs[at] ?? 0, (ends[at] ?? 0) - (starts[at] ?? 0));
      costs[at] = 0;
    }
  }

  #charge(from: number, to: number, { cached, prices }: Prompt): void {
    const { starts, ends, costs } = this.#columns;
    for (let at = from; at < to; at += 1) {
      const start = starts[at] ?? 0;
      const end = ends[at] ?? 0;
      const border = Math.max(start, Math.min(end, cached));
      const cost = Math.floor((border - start) * prices.cached + (end - border) * prices.fresh);
      costs[at] = (costs[at] ?? 0) + cost;
    }
  }

  #settle(from: number): void {
    const { starts, ends, costs, savedCounts } = this.#columns;
    for (let at = from; at < this.#counted; at += 1) {
      const tokens = (ends[at] ?? 0) - (starts[at] ?? 0);
      costs[at] = (costs[at] ?? 0) + this.#cached.priceSince(savedCounts, at, tokens);
    }
    this.#counted = Math.min(this.#counted, from);
  }

  #sumUp(from: number, to: number): void {
    const { starts, ends, owners, since, costs, savedCounts } = this.#columns;
    for (let at = from; at < to; at += 1) {
      const tokens = (ends[at] ?? 0) - (starts[at] ?? 0);
      const owner = owners[at] ?? 0;
      const turns = this.#turn - (since[at] ?? 0);
      const counted = at < this.#counted ? this.#cached.priceSince(savedCounts, at, tokens) : 0;
      const cost = (costs[at] ?? 0) + counted;
      this.#sums.addCarried(owner >> 1, cost, turns * tokens, owner % 2 === 1 ? turns : 0);
      costs[at] = 0;
    }
  }
}

const firstRowsMax = 64;

class PartColumns {
  starts = new Float64Array(firstRowsMax);
  ends = new Float64Array(firstRowsMax);
  owners = new Float64Array(firstRowsMax);
  since = new Float64Array(firstRowsMax);
  costs = new Float64Array(firstRowsMax);
  // Rows of `followedPricesMax`: cached turns already included in `costs`.
  savedCounts = new Float64Array(firstRowsMax * cachedPricesMax);

  get rowsMax(): number {
    return this.starts.length;
  }

  move(from: number, to: number): void {
    const rowsMax = this.rowsMax * ((to - from) * 2 > this.rowsMax ? 2 : 1);
    const move = (column: Float64Array, width: number): Float64Array<ArrayBuffer> => {
      const moved = new Float64Array(rowsMax * width);
      moved.set(column.subarray(from * width, to * width));
      return moved;
    };
    this.starts = move(this.starts, 1);
    this.ends = move(this.ends, 1);
    this.owners = move(this.owners, 1);
    this.since = move(this.since, 1);
    this.costs = move(this.costs, 1);
    this.savedCounts = move(this.savedCounts, cachedPricesMax);
  }
}

// Positions in tokens. They are valid until the context starts over or is cut, because prompts grow at the end.
export type ContextSpan = { readonly start: number; end: number };

export type Prompt = {
  readonly size: number;
  readonly cached: number; // tokens at the beginning
  readonly prices: TurnPrices;
};

// Shortens the span for good if its end is no longer in the prompt.
export function chargeSpan(span: ContextSpan, { size, cached, prices }: Prompt): NanoDollars {
  span.end = Math.max(span.start, Math.min(span.end, size));
  const border = Math.max(span.start, Math.min(span.end, cached));
  return Math.floor((border - span.start) * prices.cached + (span.end - border) * prices.fresh);
}

export function shrinkTo(room: number, sizes: readonly number[]): readonly number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= Math.max(0, room)) return sizes;
  const factor = Math.max(0, room) / total;
  return sizes.map((size) => Math.floor(size * factor));
}

export function stackSpans(start: number, sizes: readonly number[]): ContextSpan[] {
  let next = start;
  return sizes.map((size) => {
    const span = { start: next, end: next + size };
    next = span.end;
    return span;
  });
}
