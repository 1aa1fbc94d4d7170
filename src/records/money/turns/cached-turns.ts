/** Counts turns by their price of a cached token: a part costs the same in each turn of one price, so turns are only counted until it leaves the cache. */
export class CachedTurns {
  readonly #prices: Float64Array;
  readonly #turns: Float64Array;
  #known = 0;

  constructor(pricesMax: number) {
    this.#prices = new Float64Array(pricesMax);
    this.#turns = new Float64Array(pricesMax);
  }

  hasRoomFor(price: number): boolean {
    return this.#known < this.#prices.length || this.#placeOf(price) < this.#known;
  }

  add(price: number): void {
    const place = this.#placeOf(price);
    if (place === this.#known) this.#known += 1;
    this.#prices[place] = price;
    this.#turns[place] = (this.#turns[place] ?? 0) + 1;
  }

  clear(): void {
    this.#known = 0;
    this.#turns.fill(0);
  }

  mark(marks: Float64Array, row: number): void {
    const [turns, from] = [this.#turns, row * this.#turns.length];
    for (let place = 0; place < turns.length; place += 1) marks[from + place] = turns[place] ?? 0;
  }

  costSince(marks: Float64Array, row: number, tokens: number): number {
    const [prices, turns, from] = [this.#prices, this.#turns, row * this.#turns.length];
    let cost = 0;
    for (let place = 0; place < this.#known; place += 1) {
      const since = (turns[place] ?? 0) - (marks[from + place] ?? 0);
      cost += since * Math.floor(tokens * (prices[place] ?? 0));
    }
    return cost;
  }

  #placeOf(price: number): number {
    let place = 0;
    while (place < this.#known && this.#prices[place] !== price) place += 1;
    return place;
  }
}
