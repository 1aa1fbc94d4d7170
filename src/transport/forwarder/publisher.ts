import { takeAddress, type CFunctions } from "#kit/os/c-library.ts";
import {
  recordHeadBytes,
  recordKind,
  countRecordUnits,
  unitBytes,
  writeKind,
  writeSequence,
  type Positions,
  makeRingPositions,
  makeSpoolPositions,
  type RecordStore,
  makeRecordStore,
  type SharedMemory,
  wordIndex,
  ringBytes,
  SpoolHandover,
  spoolBytes,
} from "./shared-memory.ts";
import { forwardedReadBytesMax } from "#kit/os/pipe.ts";

const largestRecordUnits = countRecordUnits(forwardedReadBytesMax);

/** Writes records to the ring. If the ring is full, writes to the spool until the judge has read the whole spool. */
export class Publisher {
  readonly #memory: SharedMemory;
  readonly #ring: Positions;
  readonly #spool: Positions;
  readonly #file: SpoolFile;
  readonly #handover: SpoolHandover;
  readonly #scratch: RecordStore;
  readonly #ringAddress: number;
  readonly #scratchAddress: number;
  #sequence = 0;
  #ringUnit: number | undefined; // of the current record; undefined if it is not written to the ring
  #stuckBytes: number | undefined; // size of a record that fits neither the ring nor the spool
  #clientUnits = 0;
  #serverUnits = 0;

  constructor(memory: SharedMemory, file: SpoolFile) {
    this.#memory = memory;
    this.#file = file;
    const { words, ring } = memory;
    this.#handover = new SpoolHandover(words);
    this.#ring = makeRingPositions(words);
    this.#spool = makeSpoolPositions(words);
    const size = recordHeadBytes + forwardedReadBytesMax;
    this.#scratch = makeRecordStore(new ArrayBuffer(size), 0, size);
    this.#ringAddress = takeAddress(ring.bytes);
    this.#scratchAddress = takeAddress(this.#scratch.bytes);
  }

  get isRingHalfFull(): boolean {
    return this.#ring.used > ringBytes / unitBytes / 2;
  }

  // Each side may use half of the space, so that a flood from one does not stop the other.
  hasRoom(isFromClient: boolean): boolean {
    if (!this.canPublish()) return false;
    if (this.#hasJudgeFailed) return true;
    const { words } = this.#memory;
    const unread = isFromClient
      ? (this.#clientUnits - Atomics.load(words, wordIndex.clientUnitsRead)) | 0
      : (this.#serverUnits - Atomics.load(words, wordIndex.serverUnitsRead)) | 0;
    const capacity = (this.#file.isUsable ? spoolBytes : ringBytes) / unitBytes;
    return unread < capacity / 2 - 2 * largestRecordUnits;
  }

  canPublish(): boolean {
    return (
      this.#stuckBytes === undefined || this.#hasJudgeFailed || this.#retryStuck(this.#stuckBytes)
    );
  }

  // Returns the address where the caller must write the record's bytes.
  begin(): number {
    if (this.#hasJudgeFailed || this.#spool.used > 0 || !this.#ring.hasRoom(largestRecordUnits)) {
      this.#ringUnit = undefined;
      return this.#scratchAddress + recordHeadBytes;
    }
    const unit = this.#ring.writeUnit;
    this.#ringUnit = this.#ring.countUntilEnd(unit) < largestRecordUnits ? 0 : unit;
    return this.#ringAddress + this.#ringUnit * unitBytes + recordHeadBytes;
  }

  commit(kind: number, size: number, atMs: number): void {
    if (this.#hasJudgeFailed) return;
    const unit = this.#ringUnit;
    const store = unit === undefined ? this.#scratch : this.#memory.ring;
    writeKind(store, unit ?? 0, kind, size);
    writeSequence(store, unit ?? 0, this.#sequence, atMs);
    this.#sequence = (this.#sequence + 1) | 0;
    const units = countRecordUnits(size);
    if (kind === recordKind.clientBytes) this.#clientUnits = (this.#clientUnits + units) | 0;
    if (kind === recordKind.serverBytes) this.#serverUnits = (this.#serverUnits + units) | 0;
    if (unit !== undefined) this.#advanceRing(unit, units);
    else if (!this.#appendToSpool(size)) this.#stuckBytes = size;
  }

  copyUnsent(target: Uint8Array, from: number, size: number): void {
    const unit = this.#ringUnit;
    const { bytes } = unit === undefined ? this.#scratch : this.#memory.ring;
    const start = (unit ?? 0) * unitBytes + recordHeadBytes;
    target.set(bytes.subarray(start + from, start + size));
  }

  get #hasJudgeFailed(): boolean {
    return Atomics.load(this.#memory.words, wordIndex.hasJudgeFailed) === 1;
  }

  #advanceRing(unit: number, units: number): void {
    const at = this.#ring.writeUnit;
    if (at !== unit) {
      writeKind(this.#memory.ring, at, recordKind.skip, 0);
      this.#ring.advanceHead(this.#ring.countUntilEnd(at));
    }
    this.#ring.advanceHead(units);
  }

  #appendToSpool(size: number): boolean {
    const units = countRecordUnits(size);
    if (!this.#spool.hasRoom(units) || !this.#file.isUsable) return false;
    // If the judge has taken the file to empty it, records go to the other file.
    if (!this.#handover.beginWrite()) this.#file.swap();
    const isWritten = this.#writeToSpool(size, units);
    this.#handover.endWrite();
    return isWritten;
  }

  #writeToSpool(size: number, units: number): boolean {
    const at = this.#spool.writeUnit;
    const untilEnd = this.#spool.countUntilEnd(at);
    const isSkipping = untilEnd < units;
    if (isSkipping && !this.#file.write(takeAddress(skipRecord), unitBytes, at * unitBytes))
      return false;
    const offset = isSkipping ? 0 : at * unitBytes;
    if (!this.#file.write(this.#scratchAddress, recordHeadBytes + size, offset)) return false;
    Atomics.store(this.#memory.words, wordIndex.spoolFile, (this.#file.fd ?? -1) + 1);
    this.#spool.advanceHead(isSkipping ? untilEnd + units : units);
    return true;
  }

  #retryStuck(size: number): boolean {
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

export type SpoolFunctions = Pick<CFunctions, "open" | "unlink" | "pwrite" | "close">;

// O_RDWR, O_CREAT, O_EXCL and O_CLOEXEC.
const openFlags = 0o2 | 0o100 | 0o200 | 0o2_000_000;

const privateMode = 0o600;

/** Two files, so that the judge can empty one while records go to the other. After a failure, neither is used. */
export class SpoolFile {
  readonly #c: SpoolFunctions;
  readonly #path: Uint8Array;
  #files: readonly [number, number] | undefined;
  #hasFailed = false;

  constructor(c: SpoolFunctions, path: string) {
    this.#c = c;
    this.#path = new TextEncoder().encode(`${path}\0`);
  }

  get isUsable(): boolean {
    return !this.#hasFailed;
  }

  get fd(): number | undefined {
    if (!this.#files && !this.#hasFailed) this.#open();
    return this.#files?.[0];
  }

  write(address: number, size: number, offset: number): boolean {
    const { fd } = this;
    if (fd === undefined || this.#hasFailed) return false;
    this.#hasFailed = this.#c.pwrite(fd, address, size, offset) !== size;
    return !this.#hasFailed;
  }

  swap(): void {
    if (this.#files) this.#files = [this.#files[1], this.#files[0]];
  }

  #open(): void {
    const files = [this.#openUnlinked(), this.#openUnlinked()] as const;
    this.#hasFailed = files.includes(-1);
    if (!this.#hasFailed) this.#files = files;
    else for (const fd of files) if (fd >= 0) this.#c.close(fd);
  }

  #openUnlinked(): number {
    const path = takeAddress(this.#path);
    const fd = this.#c.open(path, openFlags, privateMode);
    if (fd >= 0) this.#c.unlink(path);
    return Math.max(fd, -1);
  }
}

type PortFunctions = Pick<CFunctions, "read" | "write" | "recv" | "send" | "close">;

export type PortDescriptors = {
  readonly fd: number;
  // Equals `fd`, unless other programs share the pipe's flags: `ownFd` is then a second, non-blocking descriptor.
  readonly ownFd: number;
  readonly isSocket: boolean;
};

// MSG_DONTWAIT and MSG_NOSIGNAL.
const [dontWait, noSignal] = [0x40, 0x4000];

export class Port {
  readonly #c: PortFunctions;
  readonly #descriptors: PortDescriptors;
  #isOpen = true;

  constructor(c: PortFunctions, descriptors: PortDescriptors) {
    this.#c = c;
    this.#descriptors = descriptors;
  }

  get fd(): number {
    return this.#descriptors.fd;
  }

  read(address: number, size: number): number {
    const { ownFd, isSocket } = this.#descriptors;
    return isSocket
      ? this.#c.recv(ownFd, address, size, dontWait)
      : this.#c.read(ownFd, address, size);
  }

  write(address: number, size: number): number {
    const { ownFd, isSocket } = this.#descriptors;
    return isSocket
      ? this.#c.send(ownFd, address, size, dontWait | noSignal)
      : this.#c.write(ownFd, address, size);
  }

  get isSocket(): boolean {
    return this.#descriptors.isSocket;
  }

  // If a peer has shut down only its reading side, `poll` does not report it, but sending zero bytes fails.
  isBroken(pollResults: number): boolean {
    const { ownFd, isSocket } = this.#descriptors;
    if (!isSocket) return (pollResults & pollEvent.over) !== 0;
    return this.#c.send(ownFd, 0, 0, dontWait | noSignal) < 0;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { fd, ownFd } = this.#descriptors;
    if (ownFd !== fd) this.#c.close(ownFd);
    this.#c.close(fd);
  }
}

const [readable, writable] = [1, 4];
const [error, hangUp, invalid] = [8, 16, 32];

export const pollEvent = { readable, writable, over: error | hangUp | invalid } as const;

export class PollSet {
  readonly #c: Pick<CFunctions, "poll">;
  readonly #fields: Int32Array;
  readonly #address: number;
  readonly #size: number;

  constructor(c: Pick<CFunctions, "poll">, size: number) {
    this.#c = c;
    this.#size = size;
    this.#fields = new Int32Array(size * 2);
    this.#address = takeAddress(this.#fields);
  }

  set(index: number, fd: number, events: number): void {
    // `poll` ignores the descriptor -1.
    this.#fields[index * 2] = events === 0 ? -1 : fd;
    this.#fields[index * 2 + 1] = events;
  }

  wait(timeoutMs: number): void {
    this.#c.poll(this.#address, this.#size, timeoutMs);
  }

  readResults(index: number): number {
    return this.#fields[index * 2] === -1 ? 0 : (this.#fields[index * 2 + 1] ?? 0) >>> 16;
  }
}
