import { escapeUnsafe } from "#text/unsafe-text.ts";
import type { MeterRecord } from "#records/record.ts";

/** A place records go. Taking never throws and never waits; what does not fit is dropped and counted. */
export type Sink = {
  take(record: MeterRecord): void;
  /** A promise when there is no room for further records now. */
  ready(): Promise<void> | undefined;
  /** Resolves when everything taken has arrived, or after `maxMs`. */
  flush(maxMs: number): Promise<void>;
  /** Records that did not arrive. */
  readonly dropped: number;
  /** Where the records are, for a person; undefined when nothing was written. */
  readonly path: string | undefined;
};

/** One record as it is written: one line, safe to look at on a screen. */
export function recordLine(record: MeterRecord): string {
  return `${escapeUnsafe(JSON.stringify(record))}\n`;
}
