import { escapeUnsafe } from "#text/unsafe-text.ts";
import type { MeterRecord } from "#records/record.ts";

/** A place that records go to. `take` never throws and never waits: a record that does not fit is dropped. */
export type Sink = {
  take(record: MeterRecord): void;
  /** A promise when the sink has no room for more records now; it resolves when it has. */
  ready(): Promise<void> | undefined;
  /**
   * Writes the records that wait before it returns, unless the disk is too slow to be waited for: then it begins to
   * write them. It waits longer when it `isUrgent`, because a kill may follow.
   */
  save(isUrgent: boolean): void;
  /** Resolves when every record is written, or after `maxMs`. */
  flush(maxMs: number): Promise<void>;
  /** Number of records that are lost. */
  readonly dropped: number;
  /** Number of records that wait to be written: they come before every later one. */
  readonly waiting: number;
  /** The file that a person finds the records in; undefined when there is none. */
  readonly path: string | undefined;
};

/** A record as it is written: one line of JSON that is safe to print on a terminal. */
export function recordLine(record: MeterRecord): string {
  return `${recordJson(record)}\n`;
}

/** The same without the end of the line. */
export function recordJson(record: MeterRecord): string {
  return escapeUnsafe(JSON.stringify(record));
}

/** True for the sums so far of a session that has not ended: a later record replaces them. */
export function isReplaceable(record: MeterRecord): boolean {
  return record.type === "end" && record.exit_code === null && record.signal === null;
}
