import { forwardedReadBytesMax } from "#kit/limits.ts";
import { spoolBytes } from "../limits.ts";
import { takeAddress } from "#kit/os/pipe.ts";
import {
  recordHeadBytes,
  recordKind,
  countRecordUnits,
  unitBytes,
  writeKind,
  writeOrder,
  Positions,
  type RecordStore,
  makeRecordStore,
  type SharedMemory,
  word,
  ringBytes,
} from "./shared-memory.ts";
import { SpoolClaim, type SpoolFile } from "./spool-file.ts";

const largestUnits = countRecordUnits(forwardedReadBytesMax);

/**
 * Publishes in order: in the ring, or in the spool file from when the ring is full until the judge has
 * read the whole file. Callers read directly to an address in the ring, which saves a copy.
 */
export class Publisher {
  readonly #memory: SharedMemory;
  readonly #ring: Positions;
  readonly #spool: Positions;
  readonly #file: SpoolFile;
  readonly #claim: SpoolClaim;
  readonly #scratch: RecordStore;
  readonly #ringAddress: number;
  readonly #scratchAddress: number;
  #sequence = 0;
  #unit: number | undefined;
  #stuckBytes: number | undefined;
  #writtenClient = 0;
  #writtenServer = 0;

  constructor(memory: SharedMemory, file: SpoolFile) {
    this.#memory = memory;
    this.#file = file;
    const { words, ring } = memory;
    this.#claim = new SpoolClaim(words);
    this.#ring = new Positions(words, word.ringHead, word.ringTail, ringBytes / unitBytes);
    this.#spool = new Positions(words, word.spoolHead, word.spoolTail, spoolBytes / unitBytes);
    const size = recordHeadBytes + forwardedReadBytesMax;
    this.#scratch = makeRecordStore(new ArrayBuffer(size), 0, size);
    this.#ringAddress = takeAddress(ring.bytes);
    this.#scratchAddress = takeAddress(this.#scratch.bytes);
  }

  get isFilling(): boolean {
    // half of the ring is used: the judge should not wait any longer
    return this.#ring.used > ringBytes / unitBytes / 2;
  }

  // Each side may use half of the space, so that a flood from one does not stop the other.
  hasRoom(isClient: boolean): boolean {
    if (!this.isFree()) return false;
    if (this.#hasJudgeFailed) return true;
    const { words } = this.#memory;
    const unread = isClient
      ? (this.#writtenClient - Atomics.load(words, word.takenClient)) | 0
      : (this.#writtenServer - Atomics.load(words, word.takenServer)) | 0;
    const capacity = (this.#file.isUsable ? spoolBytes : ringBytes) / unitBytes;
    return unread < capacity / 2 - 2 * largestUnits;
  }

  isFree(): boolean {
    return this.#stuckBytes === undefined || this.#hasJudgeFailed || this.#retry(this.#stuckBytes);
  }

  begin(): number {
    if (this.#hasJudgeFailed || this.#spool.used > 0 || !this.#ring.hasRoom(largestUnits)) {
      this.#unit = undefined;
      return this.#scratchAddress + recordHeadBytes;
    }
    const unit = this.#ring.writeUnit;
    this.#unit = this.#ring.countUntilEnd(unit) < largestUnits ? 0 : unit;
    return this.#ringAddress + this.#unit * unitBytes + recordHeadBytes;
  }

  commit(kind: number, size: number, atMs: number): void {
    if (this.#hasJudgeFailed) return;
    const unit = this.#unit;
    const store = unit === undefined ? this.#scratch : this.#memory.ring;
    writeKind(store, unit ?? 0, kind, size);
    writeOrder(store, unit ?? 0, this.#sequence, atMs);
    this.#sequence = (this.#sequence + 1) | 0;
    const units = countRecordUnits(size);
    if (kind === recordKind.clientBytes) this.#writtenClient = (this.#writtenClient + units) | 0;
    if (kind === recordKind.serverBytes) this.#writtenServer = (this.#writtenServer + units) | 0;
    if (unit !== undefined) this.#advanceRing(unit, units);
    else if (!this.#append(size)) this.#stuckBytes = size;
  }

  copy(target: Uint8Array, from: number, size: number): void {
    const unit = this.#unit;
    const { bytes } = unit === undefined ? this.#scratch : this.#memory.ring;
    const start = (unit ?? 0) * unitBytes + recordHeadBytes;
    target.set(bytes.subarray(start + from, start + size));
  }

  // The failed judge reads nothing more; traffic continues without it.
  get #hasJudgeFailed(): boolean {
    return Atomics.load(this.#memory.words, word.hasJudgeFailed) === 1;
  }

  #advanceRing(unit: number, units: number): void {
    const at = this.#ring.writeUnit;
    if (at !== unit) {
      writeKind(this.#memory.ring, at, recordKind.skip, 0);
      this.#ring.advanceHead(this.#ring.countUntilEnd(at));
    }
    this.#ring.advanceHead(units);
  }

  #append(size: number): boolean {
    const units = countRecordUnits(size);
    if (!this.#spool.hasRoom(units) || !this.#file.isUsable) return false;
    if (!this.#claim.begin()) this.#file.swap();
    const isWritten = this.#write(size, units);
    this.#claim.end();
    return isWritten;
  }

  #write(size: number, units: number): boolean {
    const at = this.#spool.writeUnit;
    const untilEnd = this.#spool.countUntilEnd(at);
    const isSkipping = untilEnd < units;
    if (isSkipping && !this.#file.write(takeAddress(skipRecord), unitBytes, at * unitBytes))
      return false;
    const offset = isSkipping ? 0 : at * unitBytes;
    if (!this.#file.write(this.#scratchAddress, recordHeadBytes + size, offset)) return false;
    Atomics.store(this.#memory.words, word.spoolFile, (this.#file.fd ?? -1) + 1);
    this.#spool.advanceHead(isSkipping ? untilEnd + units : units);
    return true;
  }

  #retry(size: number): boolean {
    const units = countRecordUnits(size);
    if (this.#spool.used > 0 || !this.#ring.hasRoom(units)) return false;
    const at = this.#ring.writeUnit;
    const unit = this.#ring.countUntilEnd(at) < units ? 0 : at;
    const bytes = this.#scratch.bytes.subarray(0, recordHeadBytes + size);
    this.#memory.ring.bytes.set(bytes, unit * unitBytes);
    this.#advanceRing(unit, units);
    this.#stuckBytes = undefined;
    return true;
  }
}

const skipRecord = new Int32Array([0, recordKind.skip]);
