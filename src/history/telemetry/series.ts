import type { Instrument } from "./instruments.ts";

export type Attributes = Readonly<{ [name: string]: string | number }>;

/** A counter or gauge has one number; a histogram the count of each bucket, then the sum. */
export type MetricPoint = { readonly attributes: Attributes; readonly values: readonly number[] };

export type MetricReading = {
  readonly instrument: Instrument;
  readonly points: readonly MetricPoint[];
};

export type Temporality = "cumulative" | "delta";

type Held = {
  readonly attributes: Attributes;
  values: number[];
  read: readonly number[];
  arrived: readonly number[];
};

export class Series {
  readonly instrument: Instrument;
  readonly #held = new Map<string, Held>();

  constructor(instrument: Instrument) {
    this.instrument = instrument;
  }

  add(attributes: Attributes, amount: number): void {
    const { values } = this.#at(attributes, 1);
    values[0] = (values[0] ?? 0) + amount;
  }

  set(attributes: Attributes, value: number): void {
    this.#at(attributes, 1).values[0] = value;
  }

  raise(attributes: Attributes, value: number): void {
    const { values } = this.#at(attributes, 1);
    values[0] = Math.max(values[0] ?? 0, value);
  }

  observe(attributes: Attributes, value: number): void {
    const { bounds = [] } = this.instrument;
    const { values } = this.#at(attributes, bounds.length + 2);
    const found = bounds.findIndex((bound) => value <= bound);
    const bucket = found < 0 ? bounds.length : found;
    values[bucket] = (values[bucket] ?? 0) + 1;
    const sum = bounds.length + 1;
    values[sum] = (values[sum] ?? 0) + value;
  }

  reading(temporality: Temporality): MetricReading {
    const isDelta = temporality === "delta" && this.instrument.kind !== "gauge";
    const points: MetricPoint[] = [];
    for (const held of this.#held.values()) {
      held.read = [...held.values];
      const { attributes, read, arrived } = held;
      if (!isDelta) points.push({ attributes, values: read });
      else if (isChanged(held)) {
        points.push({ attributes, values: read.map((value, at) => value - (arrived[at] ?? 0)) });
      }
    }
    return { instrument: this.instrument, points };
  }

  get hasNews(): boolean {
    return [...this.#held.values()].some(isChanged);
  }

  arrived(): void {
    for (const held of this.#held.values()) held.arrived = held.read;
  }

  #at(attributes: Attributes, length: number): Held {
    const key = JSON.stringify(attributes);
    const known = this.#held.get(key);
    if (known) return known;
    const held = { attributes, values: zeros(length), read: [], arrived: [] };
    this.#held.set(key, held);
    return held;
  }
}

function isChanged({ values, arrived }: Held): boolean {
  return arrived.length === 0 || values.some((value, at) => value !== arrived[at]);
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}
