import { ftruncateSync, readSync } from "node:fs";
import { spoolBytes } from "../limits.ts";
import type { Side } from "#wire/message.ts";
import {
  recordField,
  recordHeadBytes,
  recordKind,
  countRecordUnits,
  readSide,
  unitBytes,
  Positions,
  type RecordStore,
  makeRecordStore,
  type SharedMemory,
  word,
  ringBytes,
} from "./shared-memory.ts";
import { SpoolClaim } from "./publisher.ts";

export const spoolKeptBytesMax = 8 * 1024 * 1024;

const spoolReadBytes = 256 * 1024;

export type Passed = {
  readonly from: Side;
  readonly bytes: Uint8Array | undefined;
  readonly isCut: boolean; // the input ended in the middle of a line
  readonly atMs: number;
};

export class PassedReader {
  readonly #words: Int32Array;
  readonly #ring: RecordStore;
  readonly #ringAt: Positions;
  readonly #spoolAt: Positions;
  readonly #claim: SpoolClaim;
  #spooledUnits = 0;
  #window: RecordStore | undefined;
  #windowUnit = 0;
  #windowUnits = 0;
  #sequence = 0;

  constructor({ words, ring }: SharedMemory) {
    this.#words = words;
    this.#claim = new SpoolClaim(words);
    this.#ring = ring;
    this.#ringAt = new Positions(words, word.ringHead, word.ringTail, ringBytes / unitBytes);
    this.#spoolAt = new Positions(words, word.spoolHead, word.spoolTail, spoolBytes / unitBytes);
  }

  next(): Passed | undefined {
    return this.#nextInRing() ?? this.#nextInSpool();
  }

  // Frees the disk space of a fully read spool that has carried more than `keptBytes`.
  truncateSpool(keptBytes: number = spoolKeptBytesMax): boolean {
    if (this.#spooledUnits * unitBytes <= keptBytes) return false;
    const fd = this.#claim.take(() => this.#spoolAt.used === 0);
    if (fd === undefined) return false;
    this.#spooledUnits = 0;
    this.#windowUnits = 0;
    try {
      ftruncateSync(fd, 0);
      return true;
    } catch {
      // It keeps its disk space until it is next read, and is written as before.
      return false;
    }
  }

  #nextInRing(): Passed | undefined {
    while (this.#ringAt.used > 0) {
      const unit = this.#ringAt.readUnit;
      if (recordField.kind(this.#ring, unit) === recordKind.skip) {
        this.#ringAt.advanceTail(this.#ringAt.countUntilEnd(unit));
        continue;
      }
      // Otherwise records in the spool come first.
      if (recordField.sequence(this.#ring, unit) !== this.#sequence) return undefined;
      return this.#take(this.#ring, unit, this.#ringAt);
    }
    return undefined;
  }

  #nextInSpool(): Passed | undefined {
    while (this.#spoolAt.used > 0) {
      const unit = this.#spoolAt.readUnit;
      const window = this.#moveWindow(unit);
      const at = unit - this.#windowUnit;
      if (recordField.kind(window, at) === recordKind.skip) {
        this.#spoolAt.advanceTail(this.#spoolAt.countUntilEnd(unit));
        continue;
      }
      // The ring was written after we found it empty, and comes first.
      if (recordField.sequence(window, at) !== this.#sequence) return this.#nextInRing();
      const passed = this.#take(window, at, this.#spoolAt);
      this.#spooledUnits += countRecordUnits(recordField.size(window, at));
      return passed;
    }
    return undefined;
  }

  #take(store: RecordStore, unit: number, positions: Positions): Passed {
    const size = recordField.size(store, unit);
    const kind = recordField.kind(store, unit);
    const start = unit * unitBytes + recordHeadBytes;
    const isEnd = kind !== recordKind.clientBytes && kind !== recordKind.serverBytes;
    const passed = {
      from: readSide(kind),
      isCut: kind === recordKind.clientCut,
      bytes: isEnd ? undefined : new Uint8Array(store.bytes.subarray(start, start + size)),
      atMs: recordField.atMs(store, unit),
    };
    const units = countRecordUnits(size);
    if (!isEnd) {
      const taken = passed.from === "client" ? word.takenClient : word.takenServer;
      Atomics.store(this.#words, taken, (Atomics.load(this.#words, taken) + units) | 0);
    }
    this.#sequence = (this.#sequence + 1) | 0;
    positions.advanceTail(units);
    return passed;
  }

  #moveWindow(unit: number): RecordStore {
    const window = (this.#window ??= makeRecordStore(
      new ArrayBuffer(spoolReadBytes),
      0,
      spoolReadBytes,
    ));
    const at = unit - this.#windowUnit;
    const left = this.#windowUnits - at;
    const isInside = at >= 0 && left > 0;
    if (isInside && (isSkip(window, at) || holdsRecord(window, at, left))) return window;
    this.#fill(window, unit);
    return window;
  }

  #fill(window: RecordStore, unit: number): void {
    const contiguous = Math.min(this.#spoolAt.used, this.#spoolAt.countUntilEnd(unit));
    const wanted = Math.min(contiguous * unitBytes, spoolReadBytes);
    const fd = Atomics.load(this.#words, word.spoolFile) - 1;
    const read = readSync(fd, window.bytes, 0, wanted, unit * unitBytes);
    this.#windowUnit = unit;
    // The last record's bytes may end before its last unit.
    this.#windowUnits = Math.ceil(read / unitBytes);
    const isWhole = isSkip(window, 0) || holdsRecord(window, 0, this.#windowUnits);
    if (!isWhole) throw new Error("the spool is shorter than its records");
  }
}

function isSkip(store: RecordStore, unit: number): boolean {
  return recordField.kind(store, unit) === recordKind.skip;
}

function holdsRecord(store: RecordStore, unit: number, left: number): boolean {
  if (left * unitBytes < recordHeadBytes) return false;
  return countRecordUnits(recordField.size(store, unit)) <= left;
}
