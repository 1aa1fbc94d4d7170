import { recordQueueBytesMax, recordWriteBytesMax } from "#limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { recordLine, type Sink } from "./sink.ts";

/** A file that whole lines are appended to. */
export type Appendable = {
  readonly path: string;
  /** Milliseconds for which records may wait so that others share their write; 0 when absent. */
  readonly gatherMs?: number;
  /** Resolves with the number of lines that were written whole. */
  append(lines: string): Promise<number>;
};

type Queued = { readonly line: string; readonly bytes: number };

/** Chooses and opens the file for the first record; undefined when it cannot be opened. */
export type OpenRecordFile = (first: MeterRecord) => Appendable | undefined;

/**
 * Appends records to a file without delaying the traffic. A record that comes alone is one write; records that
 * come faster than they are written share a write of at most a megabyte.
 */
export class FileSink implements Sink {
  readonly #open: OpenRecordFile;
  #file: Appendable | undefined;
  #isOpen = false;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #writtenMs = -Infinity;
  #endGathering: () => void = () => undefined;
  #dropped = 0;

  constructor(open: OpenRecordFile) {
    this.#open = open;
  }

  get dropped(): number {
    return this.#dropped + this.#queue.length;
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
    const line = recordLine(record);
    const bytes = Buffer.byteLength(line);
    // The last record says how many were dropped, so it is never dropped itself.
    if (record.type !== "end" && this.#queuedBytes + bytes > recordQueueBytesMax) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push({ line, bytes });
    this.#queuedBytes += bytes;
    this.#writing ??= this.#writeAll(this.#file);
  }

  ready(): Promise<void> | undefined {
    return this.#queuedBytes > recordQueueBytesMax / 4 ? this.#writing : undefined;
  }

  async flush(maxMs: number): Promise<void> {
    if (!this.#writing) return;
    this.#endGathering();
    await Promise.race([this.#writing, Bun.sleep(maxMs)]);
  }

  async #writeAll(file: Appendable): Promise<void> {
    const waitMs = this.#writtenMs + (file.gatherMs ?? 0) - performance.now();
    if (waitMs > 0) await this.#gather(waitMs);
    for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
      // Not `+=` with the await in it: `take` may drop records while this waits.
      const written = await appendBatch(file, batch);
      this.#dropped += batch.length - written;
    }
    this.#writtenMs = performance.now();
    this.#writing = undefined;
  }

  /** Waits for more records, until a flush ends the wait. */
  async #gather(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Removes as many records from the queue as fit into one write, at least one. */
  #batch(): string[] {
    let bytes = 0;
    let count = 0;
    for (const queued of this.#queue) {
      if (count > 0 && bytes + queued.bytes > recordWriteBytesMax) break;
      bytes += queued.bytes;
      count += 1;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count).map(({ line }) => line);
  }
}

/** Resolves with the number of lines that were written, 0 when the file throws. */
async function appendBatch(file: Appendable, lines: readonly string[]): Promise<number> {
  try {
    return await file.append(lines.join(""));
  } catch {
    return 0;
  }
}
