import type { Side } from "#wire/message.ts";
import { takeAddress, type CFunctions } from "#kit/os/c-library.ts";

// Not larger, because the judge takes up to three seconds to count the tokens of a full spool.
export const spoolBytes = 128 * 1024 * 1024;

export const ringBytes = 1024 * 1024;

// Indexes of the shared words. Both threads write `state`, `wantsWakeUp` and `spoolState`; the rest have
// one writer each.
export const wordIndex = {
  state: 0,
  wantsWakeUp: 1,
  ringHead: 2,
  ringTail: 3,
  spoolHead: 4,
  spoolTail: 5,
  spoolFile: 6, // descriptor plus 1; 0 without a file
  clientUnitsRead: 7, // by the judge
  serverUnitsRead: 8,
  clientEnded: 9,
  serverEnded: 10,
  delivery: 11,
  hasJudgeFailed: 12,
  spoolState: 13,
} as const;

// Whichever thread first replaces `starting` decides: the forwarding thread begins to forward, or the judge's thread
// gives up waiting for it.
export const threadState = { starting: 0, forwarding: 1, abandoned: 2 } as const;

export const deliveryState = { idle: 0, waitsForClient: 1, waitsForJudge: 2 } as const;

const wordsBytes = 64;
const timeBytes = 8;
const ringOffset = 128;

export type SharedMemory = {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly lastProgressMs: Float64Array;
  readonly ring: RecordStore;
};

export type RecordStore = {
  readonly bytes: Uint8Array;
  readonly fields: Int32Array;
  readonly times: Float64Array;
};

export function makeSharedMemory(
  buffer: SharedArrayBuffer = new SharedArrayBuffer(ringOffset + ringBytes),
): SharedMemory {
  return {
    buffer,
    words: new Int32Array(buffer, 0, wordsBytes / 4),
    lastProgressMs: new Float64Array(buffer, wordsBytes, timeBytes / 8),
    ring: makeRecordStore(buffer, ringOffset, ringBytes),
  };
}

export function makeRecordStore(
  buffer: SharedArrayBuffer | ArrayBuffer,
  offset: number,
  size: number,
): RecordStore {
  return {
    bytes: new Uint8Array(buffer, offset, size),
    fields: new Int32Array(buffer, offset, size / 4),
    times: new Float64Array(buffer, offset, size / 8),
  };
}

// Here, a record is a head with the bytes of one `read`, or the head alone.
export const recordKind = {
  skip: 0, // nothing more until the end of the ring or file
  clientBytes: 1,
  serverBytes: 2,
  clientEnd: 3,
  serverEnd: 4,
  // The server stopped reading, so we stopped reading from the client, perhaps in the middle of a line.
  clientCut: 5,
} as const;

export type RecordKind = (typeof recordKind)[keyof typeof recordKind];

export const unitBytes = 8;

export const recordHeadBytes = 24;

export function countRecordUnits(bytes: number): number {
  return (recordHeadBytes + bytes + unitBytes - 1) >>> 3;
}

export const recordField = {
  size: (store: RecordStore, unit: number): number => store.fields[unit * 2] ?? 0,
  kind: (store: RecordStore, unit: number): number => store.fields[unit * 2 + 1] ?? 0,
  sequence: (store: RecordStore, unit: number): number => store.fields[unit * 2 + 2] ?? 0,
  atMs: (store: RecordStore, unit: number): number => store.times[unit + 2] ?? 0,
};

// The fields are separate arguments, so that the forwarding thread allocates no object per record.
export function writeKind(store: RecordStore, unit: number, kind: number, size: number): void {
  store.fields[unit * 2] = size;
  store.fields[unit * 2 + 1] = kind;
}

export function writeSequence(
  store: RecordStore,
  unit: number,
  sequence: number,
  atMs: number,
): void {
  store.fields[unit * 2 + 2] = sequence;
  store.fields[unit * 2 + 3] = 0;
  store.times[unit + 2] = atMs;
}

export function toSide(kind: number): Side {
  return kind === recordKind.serverBytes || kind === recordKind.serverEnd ? "server" : "client";
}

/** Head and tail of the ring or spool, in units modulo 2^32. No record wraps around the end. */
export class Positions {
  readonly #words: Int32Array;
  readonly #head: number;
  readonly #tail: number;
  readonly #capacity: number;

  // `capacity` must be a power of two.
  constructor(words: Int32Array, head: number, tail: number, capacity: number) {
    this.#words = words;
    this.#head = head;
    this.#tail = tail;
    this.#capacity = capacity;
  }

  get used(): number {
    return (Atomics.load(this.#words, this.#head) - Atomics.load(this.#words, this.#tail)) | 0;
  }

  get writeUnit(): number {
    return Atomics.load(this.#words, this.#head) & (this.#capacity - 1);
  }

  get readUnit(): number {
    return Atomics.load(this.#words, this.#tail) & (this.#capacity - 1);
  }

  countUntilEnd(unit: number): number {
    return this.#capacity - unit;
  }

  hasRoom(units: number): boolean {
    const untilEnd = this.countUntilEnd(this.writeUnit);
    const needed = units <= untilEnd ? units : untilEnd + units;
    return this.used + needed <= this.#capacity;
  }

  advanceHead(units: number): void {
    Atomics.store(this.#words, this.#head, (Atomics.load(this.#words, this.#head) + units) | 0);
  }

  advanceTail(units: number): void {
    Atomics.store(this.#words, this.#tail, (Atomics.load(this.#words, this.#tail) + units) | 0);
  }
}

export function makeRingPositions(words: Int32Array): Positions {
  const { ringHead, ringTail } = wordIndex;
  return new Positions(words, ringHead, ringTail, ringBytes / unitBytes);
}

export function makeSpoolPositions(words: Int32Array): Positions {
  const { spoolHead, spoolTail } = wordIndex;
  return new Positions(words, spoolHead, spoolTail, spoolBytes / unitBytes);
}

const takenState = -1;

// The spool's state is odd during a write. A write ends with a new even state, so that `take` notices the write.
const evenStateMask = 0x7fff_fffe;

/** Lets the judge take and empty the spool file after reading all of it. Neither thread ever waits. */
export class SpoolHandover {
  readonly #words: Int32Array;
  #nextState = 0;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  beginWrite(): boolean {
    const { spoolState } = wordIndex;
    const state = Atomics.load(this.#words, spoolState);
    if (state === takenState) return false;
    return Atomics.compareExchange(this.#words, spoolState, state, state | 1) === state;
  }

  endWrite(): void {
    this.#nextState = (this.#nextState + 2) & evenStateMask;
    Atomics.store(this.#words, wordIndex.spoolState, this.#nextState);
  }

  take(isAllRead: () => boolean): number | undefined {
    const words = this.#words;
    const state = Atomics.load(words, wordIndex.spoolState);
    if (state === takenState || (state & 1) === 1 || !isAllRead()) return undefined;
    const fd = Atomics.load(words, wordIndex.spoolFile) - 1;
    if (fd < 0) return undefined;
    // Fails if a write has begun since the state was read.
    const previous = Atomics.compareExchange(words, wordIndex.spoolState, state, takenState);
    return previous === state ? fd : undefined;
  }
}

const clockMonotonic = 1;

// The same in all threads, unlike `performance.now()`, which starts at 0 in each thread.
export function readMonotonicMs(c: Pick<CFunctions, "clock_gettime">): number {
  const time = new Int32Array(4);
  c.clock_gettime(clockMonotonic, takeAddress(time));
  const [secondsLow = 0, secondsHigh = 0, nanosecondsLow = 0] = time;
  const seconds = (secondsLow >>> 0) + secondsHigh * 2 ** 32;
  return seconds * 1_000 + nanosecondsLow / 1_000_000;
}
