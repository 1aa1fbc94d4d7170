export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = this.any(values);
    if (value === undefined) throw new Error("Cannot pick from an empty list");
    return value;
  }

  any<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }

  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T {
    const total = values.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [weight, value] of values) {
      left -= weight;
      if (left < 0) return value;
    }
    return this.pick(values)[1];
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, order: this.next() }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ value }) => value);
  }
}

export function seedFrom(...numbers: readonly number[]): number {
  let seed = 0x9e3779b9;
  for (const number of numbers) {
    seed = Math.imul(seed ^ (number >>> 0), 0x85ebca6b);
    seed = Math.imul(seed ^ (seed >>> 13), 0xc2b2ae35);
    seed ^= seed >>> 16;
  }
  return seed >>> 0;
}
