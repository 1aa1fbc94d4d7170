/** Each bucket is this much wider than the one before: percentiles are right within one percent. */
const growth = 1.02;

/**
 * Durations folded into a histogram of fixed resolution: a percentile in constant memory, the same
 * whatever the order they came in.
 */
export class Durations {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(durationMs: number): void {
    const bucket = durationMs < 0.001 ? zeroBucket : Math.round(Math.log(durationMs) / logGrowth);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  /** The smallest duration in ms that `share` (0…1) of all are not longer than; 0 when there are none. */
  percentile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (const bucket of [...this.#buckets.keys()].toSorted((one, other) => one - other)) {
      seen += this.#buckets.get(bucket) ?? 0;
      if (seen >= rank) return bucket === zeroBucket ? 0 : growth ** bucket;
    }
    return 0;
  }
}

const logGrowth = Math.log(growth);
/** Holds durations too short to have a logarithm worth keeping. */
const zeroBucket = -1_000;
