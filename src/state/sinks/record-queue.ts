import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { isProvisionalEnd } from "#records/ledger.ts";
import type { MeterRecord } from "#records/record.ts";

export const recordFlushMaxMs = 2_000;

// `take` never throws and never waits, but may drop a record.
export type Sink = {
  take(record: MeterRecord): void;
  // A promise while many records wait: the meter should wait for it, so that none is dropped.
  ready(): Promise<void> | undefined;
  // Writes before it returns. If the disk is slow or too many records wait, it only hastens a later write.
  // If urgent, it accepts a slower disk, because a kill may follow.
  save(isUrgent: boolean): void;
  flush(maxMs: number): Promise<void>;
  readonly dropped: number;
  readonly waiting: number;
  readonly path: string | undefined;
};

export function formatRecordLine(record: MeterRecord): string {
  return `${escapeUnsafe(JSON.stringify(record))}\n`;
}

export const recordQueueBytesMax = 32 * 1024 * 1024;

export const recordWriteBytesMax = 1024 * 1024;

// Traffic waits for a write of up to this size, which takes the kernel 0.05 ms.
export const recordWaitBytesMax = 64 * 1024;

// Traffic does not wait for a disk on which a write takes longer than this; the usual write takes 0.02 ms.
export const quickWriteMaxMs = 20;

export const urgentWriteMaxMs = 100;

export type Appendable = {
  readonly path: string;
  readonly gatherMs?: number; // after a write, records wait up to this long, to share the next write
  // `append` and `appendNow` return the number of complete lines that were written.
  append(lines: string): Promise<number>;
  appendNow(lines: string): number;
};

// `records` is 0 for a line whose loss is not counted, because a later one replaces it.
type QueuedLine = { readonly line: string; readonly bytes: number; readonly records: 0 | 1 };

export type OpenRecordFile = (first: MeterRecord) => Appendable | undefined;

export class RecordQueue implements Sink {
  readonly #open: OpenRecordFile;
  #file: Appendable | undefined;
  #hasTriedToOpen = false;
  #queue: QueuedLine[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #writtenMs = -Infinity;
  // Records in the current write. They count as waiting if the write outlasted a flush.
  #writingCount = 0;
  #hasOutlastedFlush = false;
  #writeStartedMs = Infinity;
  #writeTookMs = 0;
  #endGathering: () => void = () => undefined;
  #dropped = 0;

  constructor(open: OpenRecordFile) {
    this.#open = open;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get waiting(): number {
    return countRecords(this.#queue) + (this.#hasOutlastedFlush ? this.#writingCount : 0);
  }

  get path(): string | undefined {
    return this.#file?.path;
  }

  take(record: MeterRecord): void {
    if (!this.#hasTriedToOpen) {
      this.#hasTriedToOpen = true;
      this.#file = this.#open(record);
    }
    if (!this.#file) return;
    const line = formatRecordLine(record);
    const bytes = Buffer.byteLength(line);
    // An `end` says how many records were dropped, so it is accepted beyond the limit.
    if (record.type !== "end" && this.#queuedBytes + bytes > recordQueueBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push({ line, bytes, records: isProvisionalEnd(record) ? 0 : 1 });
    this.#queuedBytes += bytes;
    this.#writing ??= this.#writeAll(this.#file);
  }

  ready(): Promise<void> | undefined {
    return this.#queuedBytes > recordQueueBytesMax / 4 ? this.#writing : undefined;
  }

  save(isUrgent: boolean): void {
    if (!this.#file) return;
    if (this.#isSlow(this.#file, isUrgent) || this.#queuedBytes > recordWriteBytesMax) {
      this.#endGathering();
      return;
    }
    const batch = this.#takeBatch();
    if (batch.length === 0) return;
    const startedMs = performance.now();
    this.#dropped += countRecords(batch.slice(appendBatchNow(this.#file, batch)));
    this.#writeTookMs = performance.now() - startedMs;
  }

  async flush(maxMs: number): Promise<void> {
    if (!this.#writing) return;
    this.#endGathering();
    await Promise.race([this.#writing, Bun.sleep(maxMs)]);
    this.#hasOutlastedFlush = this.#writingCount > 0;
  }

  async #writeAll(file: Appendable): Promise<void> {
    const { gatherMs = 0 } = file;
    if (gatherMs > 0) await this.#gather(this.#writtenMs + gatherMs - performance.now());
    else await Promise.resolve();
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch()) {
      this.#writeStartedMs = performance.now();
      this.#writingCount = countRecords(batch);
      // On a quick disk, this thread writes short batches. Waking another thread would take longer, and its write might
      // land after a later write by `save`, or never.
      const bytes = batch.reduce((sum, line) => sum + line.bytes, 0);
      const isQuick = bytes <= recordWaitBytesMax && !this.#isSlow(file, false);
      const written = isQuick ? appendBatchNow(file, batch) : await appendBatch(file, batch);
      this.#writeTookMs = performance.now() - this.#writeStartedMs;
      this.#writeStartedMs = Infinity;
      this.#writingCount = 0;
      // `#dropped += await …` would not count the records that `take` drops during the await.
      this.#dropped += countRecords(batch.slice(written));
    }
    this.#writtenMs = performance.now();
    this.#writing = undefined;
  }

  #isSlow({ gatherMs = 0 }: Appendable, isUrgent: boolean): boolean {
    // Without gathering, each record is synced to the disk, which is slow.
    if (gatherMs === 0 && !isUrgent) return true;
    const sinceMs = performance.now() - this.#writeStartedMs;
    return isUrgent
      ? sinceMs > urgentWriteMaxMs
      : Math.max(sinceMs, this.#writeTookMs) > quickWriteMaxMs;
  }

  async #gather(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waitMs <= 0) {
        setImmediate(resolve);
        return;
      }
      const timer = setTimeout(resolve, waitMs);
      this.#endGathering = () => {
        // A timer that stays set wakes the process again after each batch. At 200 messages per second, that took a
        // tenth of the processor time.
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #takeBatch(): QueuedLine[] {
    let bytes = 0;
    let count = 0;
    for (const queued of this.#queue) {
      if (count > 0 && bytes + queued.bytes > recordWriteBytesMax) break;
      bytes += queued.bytes;
      count += 1;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }
}

async function appendBatch(file: Appendable, batch: readonly QueuedLine[]): Promise<number> {
  try {
    return await file.append(joinLines(batch));
  } catch {
    return 0;
  }
}

function appendBatchNow(file: Appendable, batch: readonly QueuedLine[]): number {
  try {
    return file.appendNow(joinLines(batch));
  } catch {
    return 0;
  }
}

function joinLines(batch: readonly QueuedLine[]): string {
  return batch.map(({ line }) => line).join("");
}

function countRecords(lines: readonly QueuedLine[]): number {
  return lines.reduce((sum, { records }) => sum + records, 0);
}
