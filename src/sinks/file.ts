import { recordQueueBytesMax, recordWriteBytesMax } from "#limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { recordLine, type Sink } from "./sink.ts";

/** A file that takes whole lines and says how many of them arrived whole. */
export type Appendable = {
  readonly path: string;
  /** How long records may wait for others that share their write, in ms; 0 when left out. */
  readonly gatherMs?: number;
  append(lines: string): Promise<number>;
};

type Queued = { readonly line: string; readonly bytes: number };

/** Chooses and opens the file when the first record is there; undefined when there can be none. */
export type OpenRecordFile = (first: MeterRecord) => Appendable | undefined;

/**
 * Appends records to a file off the traffic's path: one record is one write while they come now and then,
 * and as many whole records as fit into a megabyte when they come faster.
 */
export class FileSink implements Sink {
  readonly #open: OpenRecordFile;
  #file: Appendable | undefined;
  #isOpened = false;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #wroteMs = -Infinity;
  #hurry: () => void = () => undefined;
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
    if (!this.#isOpened) {
      this.#isOpened = true;
      this.#file = this.#open(record);
    }
    if (!this.#file) return;
    const line = recordLine(record);
    const bytes = Buffer.byteLength(line);
    // The last record says how many were lost, so it is not lost itself.
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
    this.#hurry();
    await Promise.race([this.#writing, Bun.sleep(maxMs)]);
  }

  async #writeAll(file: Appendable): Promise<void> {
    const waitMs = this.#wroteMs + (file.gatherMs ?? 0) - performance.now();
    if (waitMs > 0) await this.#gather(waitMs);
    for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
      // Read after the wait: records are dropped meanwhile.
      const arrived = await arrivedOf(file, batch);
      this.#dropped += batch.length - arrived;
    }
    this.#wroteMs = performance.now();
    this.#writing = undefined;
  }

  /** Waits for further records, unless somebody waits for these. */
  async #gather(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

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

/** A file that throws has not taken the lines: traffic and later records go on. */
async function arrivedOf(file: Appendable, lines: readonly string[]): Promise<number> {
  try {
    return await file.append(lines.join(""));
  } catch {
    return 0;
  }
}
