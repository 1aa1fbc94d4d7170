import type { CallSums, NanoDollars, TurnPrices } from "./turn.ts";

// Counts turns by their price of cached tokens. The costs of cached parts follow from these counts.
export class TurnsByPrice {
  readonly #prices: Float64Array;
  readonly #turns: Float64Array;
  #priceCount = 0;

  constructor(pricesMax: number) {
    this.#prices = new Float64Array(pricesMax);
    this.#turns = new Float64Array(pricesMax);
  }

  hasRoomFor(price: number): boolean {
    return this.#priceCount < this.#prices.length || this.#findIndex(price) < this.#priceCount;
  }

  add(price: number): void {
    const index = this.#findIndex(price);
    if (index === this.#priceCount) this.#priceCount += 1;
    this.#prices[index] = price;
    this.#turns[index] = (this.#turns[index] ?? 0) + 1;
  }

  clear(): void {
    this.#priceCount = 0;
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
    for (let index = 0; index < this.#priceCount; index += 1) {
      const newTurns = (turns[index] ?? 0) - (savedCounts[from + index] ?? 0);
      cost += newTurns * Math.floor(tokens * (prices[index] ?? 0));
    }
    return cost;
  }

  #findIndex(price: number): number {
    let index = 0;
    while (index < this.#priceCount && this.#prices[index] !== price) index += 1;
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

// The arguments and answers in the prompt, in their order, with their costs. To save time, a turn adds no cost to parts
// that stay in the cached beginning of the prompt. The costs of these parts are computed later, from counts of turns.
export class PromptParts {
  readonly #sums: CallSums;
  readonly #cachedTurns = new TurnsByPrice(cachedPricesMax);
  readonly #columns = new PartColumns();
  // The rows from `first` to `end` are in use. For the rows before `countedEnd`, only turns are counted. The rows from
  // `addedStart` on are new in this turn.
  #first = 0;
  #countedEnd = 0;
  #addedStart = 0;
  #end = 0;
  #turn = 0;

  constructor(sums: CallSums) {
    this.#sums = sums;
  }

  clear(): void {
    this.#sumUp(this.#first, this.#end);
    this.#first = 0;
    this.#countedEnd = 0;
    this.#addedStart = 0;
    this.#end = 0;
  }

  add(start: number, parts: readonly NewPart[]): void {
    // Beyond `promptPartsMax`, the oldest parts are dropped.
    const known = this.#end - this.#first;
    const excess = known + parts.length - promptPartsMax;
    const dropped = Math.max(0, Math.min(excess, known));
    this.#sumUp(this.#first, this.#first + dropped);
    this.#first += dropped;
    this.#countedEnd = Math.max(this.#countedEnd, this.#first);
    this.#addedStart = this.#end;
    let next = start;
    for (const [index, part] of parts.entries()) {
      const from = next;
      next += part.tokens;
      if (index >= excess - dropped && part.tokens > 0) this.#push(from, next, part);
    }
  }

  charge(prompt: Prompt): void {
    const { cached, prices } = prompt;
    this.#cutTo(prompt.size);
    const border = this.#findFirstBeyond(cached);
    this.#settle(border);
    if (!this.#cachedTurns.hasRoomFor(prices.cached)) {
      this.#settle(this.#first);
      this.#cachedTurns.clear();
    }
    this.#cachedTurns.add(prices.cached);
    this.#chargeAdded(prompt);
    this.#chargeRows(this.#countedEnd, Math.min(this.#addedStart, this.#end), prompt);
    const { savedCounts } = this.#columns;
    for (let row = this.#countedEnd; row < border; row += 1)
      this.#cachedTurns.saveCounts(savedCounts, row);
    this.#countedEnd = Math.max(this.#countedEnd, border);
    this.#addedStart = this.#end;
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
    this.#countedEnd -= from;
    this.#addedStart -= from;
    this.#end -= from;
  }

  #cutTo(size: number): void {
    const { starts, ends, since } = this.#columns;
    while (this.#end > this.#first && (ends[this.#end - 1] ?? 0) > size) {
      const last = this.#end - 1;
      if (last < this.#addedStart) this.#sumUp(last, this.#end);
      this.#countedEnd = Math.min(this.#countedEnd, last);
      if ((starts[last] ?? 0) < size) {
        ends[last] = size;
        // `#sumUp` has already added up this part's earlier turns.
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

  // New answers are read for the first time. New arguments count as carried, because the model wrote them itself.
  #chargeAdded(prompt: Prompt): void {
    const { starts, ends, owners, costs } = this.#columns;
    for (let row = this.#addedStart; row < this.#end; row += 1) {
      const owner = owners[row] ?? 0;
      this.#chargeRows(row, row + 1, prompt);
      if (owner % 2 === 0) continue;
      this.#sums.addFirstRead(owner >> 1, costs[row] ?? 0, (ends[row] ?? 0) - (starts[row] ?? 0));
      costs[row] = 0;
    }
  }

  #chargeRows(from: number, to: number, { cached, prices }: Prompt): void {
    const { starts, ends, costs } = this.#columns;
    for (let row = from; row < to; row += 1) {
      const start = starts[row] ?? 0;
      const end = ends[row] ?? 0;
      const border = Math.max(start, Math.min(end, cached));
      const cost = Math.floor((border - start) * prices.cached + (end - border) * prices.fresh);
      costs[row] = (costs[row] ?? 0) + cost;
    }
  }

  // Converts the counted turns of row `from` and of all later rows to costs.
  #settle(from: number): void {
    const { starts, ends, costs, savedCounts } = this.#columns;
    for (let row = from; row < this.#countedEnd; row += 1) {
      const tokens = (ends[row] ?? 0) - (starts[row] ?? 0);
      costs[row] = (costs[row] ?? 0) + this.#cachedTurns.priceSince(savedCounts, row, tokens);
    }
    this.#countedEnd = Math.min(this.#countedEnd, from);
  }

  #sumUp(from: number, to: number): void {
    const { starts, ends, owners, since, costs, savedCounts } = this.#columns;
    for (let row = from; row < to; row += 1) {
      const tokens = (ends[row] ?? 0) - (starts[row] ?? 0);
      const owner = owners[row] ?? 0;
      const turns = this.#turn - (since[row] ?? 0);
      const counted =
        row < this.#countedEnd ? this.#cachedTurns.priceSince(savedCounts, row, tokens) : 0;
      const cost = (costs[row] ?? 0) + counted;
      this.#sums.addCarried(owner >> 1, cost, turns * tokens, owner % 2 === 1 ? turns : 0);
      costs[row] = 0;
    }
  }
}

const initialRows = 64;

class PartColumns {
  starts = new Float64Array(initialRows);
  ends = new Float64Array(initialRows);
  // Twice the index of the call, plus one if the part is its answer.
  owners = new Float64Array(initialRows);
  // The first turn that carries the part. For an answer, this is the turn after the one that first read it.
  since = new Float64Array(initialRows);
  costs = new Float64Array(initialRows);
  // Each row has `cachedPricesMax` numbers: how many turns each price already had when counting began for the row.
  savedCounts = new Float64Array(initialRows * cachedPricesMax);

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

// Positions in tokens. They stay valid until the context starts over or is cut, because prompts grow only at the end.
export type ContextSpan = { readonly start: number; end: number };

export type Prompt = {
  readonly size: number;
  readonly cached: number; // the tokens at its beginning that were read from a cache
  readonly prices: TurnPrices;
};

// If the end of the span is no longer in the prompt, shortens the span.
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
