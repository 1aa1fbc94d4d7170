/** Each bucket relative to the one before: percentiles are within one percent. */
const growth = 1.02;

/** Constant memory, independent of the order of durations. */
export class Durations {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(durationMs: number): void {
    const bucket = durationMs < 0.001 ? zeroBucket : Math.round(Math.log(durationMs) / logGrowth);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  percentile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let counted = 0;
    for (const bucket of [...this.#buckets.keys()].toSorted((one, other) => one - other)) {
      counted += this.#buckets.get(bucket) ?? 0;
      if (counted >= rank) return bucket === zeroBucket ? 0 : growth ** bucket;
    }
    return 0;
  }
}

const logGrowth = Math.log(growth);

/** Below a microsecond, whose logarithm is meaningless. */
const zeroBucket = -1_000;
