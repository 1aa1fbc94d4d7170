import { ftruncateSync, readSync } from "node:fs";
import type { Side } from "#wire/message.ts";
import {
  recordField,
  recordHeadBytes,
  recordKind,
  countRecordUnits,
  toSide,
  unitBytes,
  type Positions,
  makeRingPositions,
  makeSpoolPositions,
  type RecordStore,
  makeRecordStore,
  type SharedMemory,
  wordIndex,
  SpoolHandover,
} from "./shared-memory.ts";

export const spoolKeptBytesMax = 8 * 1024 * 1024;

const spoolReadBytes = 256 * 1024;

export type PublishedRecord = {
  readonly from: Side;
  readonly bytes: Uint8Array | undefined;
  readonly isCut: boolean; // we stopped reading the client, perhaps within a line
  readonly atMs: number;
};

export class PublishedReader {
  readonly #words: Int32Array;
  readonly #ring: RecordStore;
  readonly #ringAt: Positions;
  readonly #spoolAt: Positions;
  readonly #handover: SpoolHandover;
  #unitsSinceTruncation = 0;
  #window: RecordStore | undefined;
  #windowFrom = 0;
  #windowUnits = 0;
  #sequence = 0;

  constructor({ words, ring }: SharedMemory) {
    this.#words = words;
    this.#handover = new SpoolHandover(words);
    this.#ring = ring;
    this.#ringAt = makeRingPositions(words);
    this.#spoolAt = makeSpoolPositions(words);
  }

  next(): PublishedRecord | undefined {
    return this.#nextInRing() ?? this.#nextInSpool();
  }

  // Frees the disk space of a fully read spool if more than `keptBytes` were read since the last truncation.
  truncateSpool(keptBytes: number = spoolKeptBytesMax): boolean {
    if (this.#unitsSinceTruncation * unitBytes <= keptBytes) return false;
    const fd = this.#handover.take(() => this.#spoolAt.used === 0);
    if (fd === undefined) return false;
    this.#unitsSinceTruncation = 0;
    this.#windowUnits = 0;
    try {
      ftruncateSync(fd, 0);
      return true;
    } catch {
      // The file keeps its disk space until the next attempt, and stays usable.
      return false;
    }
  }

  #nextInRing(): PublishedRecord | undefined {
    while (this.#ringAt.used > 0) {
      const unit = this.#ringAt.readUnit;
      if (isSkip(this.#ring, unit)) {
        this.#ringAt.advanceTail(this.#ringAt.countUntilEnd(unit));
        continue;
      }
      // A gap in the sequence numbers means that the next record is in the spool.
      if (recordField.sequence(this.#ring, unit) !== this.#sequence) return undefined;
      return this.#take(this.#ring, unit, this.#ringAt);
    }
    return undefined;
  }

  #nextInSpool(): PublishedRecord | undefined {
    while (this.#spoolAt.used > 0) {
      const unit = this.#spoolAt.readUnit;
      const window = this.#moveWindow(unit);
      const at = unit - this.#windowFrom;
      if (isSkip(window, at)) {
        this.#spoolAt.advanceTail(this.#spoolAt.countUntilEnd(unit));
        continue;
      }
      // The next record is in the ring: it was written after we had found the ring empty.
      if (recordField.sequence(window, at) !== this.#sequence) return this.#nextInRing();
      const record = this.#take(window, at, this.#spoolAt);
      this.#unitsSinceTruncation += countRecordUnits(recordField.size(window, at));
      return record;
    }
    return undefined;
  }

  #take(store: RecordStore, unit: number, positions: Positions): PublishedRecord {
    const size = recordField.size(store, unit);
    const kind = recordField.kind(store, unit);
    const start = unit * unitBytes + recordHeadBytes;
    const isEnd = kind !== recordKind.clientBytes && kind !== recordKind.serverBytes;
    const record = {
      from: toSide(kind),
      isCut: kind === recordKind.clientCut,
      bytes: isEnd ? undefined : new Uint8Array(store.bytes.subarray(start, start + size)),
      atMs: recordField.atMs(store, unit),
    };
    const units = countRecordUnits(size);
    if (!isEnd) {
      const index =
        record.from === "client" ? wordIndex.clientUnitsRead : wordIndex.serverUnitsRead;
      Atomics.store(this.#words, index, (Atomics.load(this.#words, index) + units) | 0);
    }
    this.#sequence = (this.#sequence + 1) | 0;
    positions.advanceTail(units);
    return record;
  }

  #moveWindow(unit: number): RecordStore {
    const window = (this.#window ??= makeRecordStore(
      new ArrayBuffer(spoolReadBytes),
      0,
      spoolReadBytes,
    ));
    const at = unit - this.#windowFrom;
    const unitsLeft = this.#windowUnits - at;
    const isInside = at >= 0 && unitsLeft > 0;
    if (isInside && (isSkip(window, at) || holdsRecord(window, at, unitsLeft))) return window;
    this.#fill(window, unit);
    return window;
  }

  #fill(window: RecordStore, unit: number): void {
    const contiguousUnits = Math.min(this.#spoolAt.used, this.#spoolAt.countUntilEnd(unit));
    const wantedBytes = Math.min(contiguousUnits * unitBytes, spoolReadBytes);
    const fd = Atomics.load(this.#words, wordIndex.spoolFile) - 1;
    const readBytes = readSync(fd, window.bytes, 0, wantedBytes, unit * unitBytes);
    this.#windowFrom = unit;
    // The end of the file is not padded to a whole unit.
    this.#windowUnits = Math.ceil(readBytes / unitBytes);
    const isWhole = isSkip(window, 0) || holdsRecord(window, 0, this.#windowUnits);
    if (!isWhole) throw new Error("the spool is shorter than its records");
  }
}

function isSkip(store: RecordStore, unit: number): boolean {
  return recordField.kind(store, unit) === recordKind.skip;
}

function holdsRecord(store: RecordStore, unit: number, unitsLeft: number): boolean {
  if (unitsLeft * unitBytes < recordHeadBytes) return false;
  return countRecordUnits(recordField.size(store, unit)) <= unitsLeft;
}
