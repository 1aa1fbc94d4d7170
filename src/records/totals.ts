import type { MeterRecord } from "./record.ts";

/** Sums over the calls of one session. */
export class Totals {
  calls = 0;
  tokens = 0;

  /** Adds what is in these records, and returns them. */
  add(records: readonly MeterRecord[]): readonly MeterRecord[] {
    for (const record of records) {
      if (record.type !== "call") continue;
      this.calls += 1;
      this.tokens += record.total_tokens;
    }
    return records;
  }
}
