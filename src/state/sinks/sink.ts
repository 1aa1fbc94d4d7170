import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { MeterRecord } from "#records/record.ts";

// `take` never throws and never waits: a record that does not fit is dropped.
export type Sink = {
  take(record: MeterRecord): void;
  ready(): Promise<void> | undefined;
  // Writes before it returns; on a slow disk it only begins to write. Waits longer when urgent: a kill may follow.
  save(isUrgent: boolean): void;
  flush(maxMs: number): Promise<void>;
  readonly dropped: number;
  readonly waiting: number;
  readonly path: string | undefined;
};

export function recordLine(record: MeterRecord): string {
  return `${recordJson(record)}\n`;
}

export function recordJson(record: MeterRecord): string {
  return escapeUnsafe(JSON.stringify(record));
}

// Sums so far of a running session, which a later record replaces.
export function isReplaceable(record: MeterRecord): boolean {
  return record.type === "end" && record.exit_code === null && record.signal === null;
}
