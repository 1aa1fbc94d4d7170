import type { MeterRecord } from "#records/record.ts";
import { isReplaceable, recordJson, type Sink } from "./sink.ts";

// Further records are dropped and counted.
export const recordQueueBytesMax = 32 * 1024 * 1024;

// One turn of a busy loop adds hundreds of records.
export const recordWriteBytesMax = 1024 * 1024;

// Written while traffic waits: a kernel takes them in 0.05 ms.
export const recordWaitBytesMax = 64 * 1024;

// The usual write takes 0.02 ms while traffic waits for it.
export const quickWriteMaxMs = 20;

// The disk is then too slow to be waited for at a goodbye.
export const slowWriteMinMs = 100;

export type Appendable = {
  readonly path: string;
  readonly gatherMs?: number;
  append(lines: string): Promise<number>;
  appendNow(lines: string): number;
};

type Queued = { readonly json: string; readonly bytes: number; readonly records: 0 | 1 };

export type OpenRecordFile = (first: MeterRecord) => Appendable | undefined;

/** Never delays the traffic. A record that comes alone is one write; faster ones share a write of at most a megabyte. */
export class FileSink implements Sink {
  readonly #open: OpenRecordFile;
  #file: Appendable | undefined;
  #isOpen = false;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #writtenMs = -Infinity;
  /** They still wait when a flush has not seen the end of the write. */
  #writingCount = 0;
  #isLate = false;
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
    return countRecords(this.#queue) + (this.#isLate ? this.#writingCount : 0);
  }

  get path(): string | undefined {
    return this.#file?.path;
  }

  take(record: MeterRecord): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#file = this.#open(record);
    }
    if (!this.#file) return;
    const json = recordJson(record);
    const bytes = Buffer.byteLength(json) + 1;
    // The last record says how many were dropped, so it is never dropped itself.
    if (record.type !== "end" && this.#queuedBytes + bytes > recordQueueBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push({ json, bytes, records: isReplaceable(record) ? 0 : 1 });
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
    const batch = this.#batch();
    if (batch.length === 0) return;
    const startedMs = performance.now();
    this.#dropped += countRecords(batch.slice(appendBatchNow(this.#file, batch)));
    this.#writeTookMs = performance.now() - startedMs;
  }

  async flush(maxMs: number): Promise<void> {
    if (!this.#writing) return;
    this.#endGathering();
    await Promise.race([this.#writing, Bun.sleep(maxMs)]);
    this.#isLate = this.#writingCount > 0;
  }

  async #writeAll(file: Appendable): Promise<void> {
    const { gatherMs = 0 } = file;
    if (gatherMs > 0) await this.#gather(this.#writtenMs + gatherMs - performance.now());
    else await Promise.resolve();
    for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
      // Not `+=` with the await in it: `take` may drop records while this waits.
      this.#writeStartedMs = performance.now();
      this.#writingCount = countRecords(batch);
      // A write on a thread may land after a later one of `save`, or never: a short one is quicker than waking it.
      const isShort = sumOfBytes(batch) <= recordWaitBytesMax && !this.#isSlow(file, false);
      const written = isShort ? appendBatchNow(file, batch) : await appendBatch(file, batch);
      this.#writeTookMs = performance.now() - this.#writeStartedMs;
      this.#writeStartedMs = Infinity;
      this.#writingCount = 0;
      this.#dropped += countRecords(batch.slice(written));
    }
    this.#writtenMs = performance.now();
    this.#writing = undefined;
  }

  /** Slower than traffic, or a client that leaves, should wait for. */
  #isSlow({ gatherMs = 0 }: Appendable, isUrgent: boolean): boolean {
    // Records that are not gathered are synced, one by one.
    if (gatherMs === 0 && !isUrgent) return true;
    const sinceMs = performance.now() - this.#writeStartedMs;
    return isUrgent
      ? sinceMs > slowWriteMinMs
      : Math.max(sinceMs, this.#writeTookMs) > quickWriteMaxMs;
  }

  /** Ended by a flush. A timer would wake the thread once more for each batch of calls: a tenth of the work at 200 messages a second. */
  async #gather(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waitMs <= 0) {
        setImmediate(resolve);
        return;
      }
      const timer = setTimeout(resolve, waitMs);
      this.#endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #batch(): Queued[] {
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

async function appendBatch(file: Appendable, batch: readonly Queued[]): Promise<number> {
  try {
    return await file.append(textOf(batch));
  } catch {
    return 0;
  }
}

function appendBatchNow(file: Appendable, batch: readonly Queued[]): number {
  try {
    return file.appendNow(textOf(batch));
  } catch {
    return 0;
  }
}

function textOf(batch: readonly Queued[]): string {
  return `${batch.map(({ json }) => json).join("\n")}\n`;
}

function sumOfBytes(lines: readonly Queued[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes, 0);
}

function countRecords(lines: readonly Queued[]): number {
  return lines.reduce((sum, { records }) => sum + records, 0);
}
