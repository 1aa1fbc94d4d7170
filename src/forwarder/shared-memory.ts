import { ringBytes } from "#limits/forwarding.ts";

/** Numbers that the forwarding thread and the judge's thread share; each is written by one of them, except the first two. */
export const word = {
  /** One of `threadState`. */
  state: 0,
  /** 1 while the judge waits to be woken. */
  isAsleep: 1,
  ringHead: 2,
  ringTail: 3,
  spoolHead: 4,
  spoolTail: 5,
  /** The descriptor of the spool's file plus 1; 0 without one. */
  spoolFile: 6,
  /** Units of each side's records that the judge has taken, modulo 2^32. */
  takenClient: 7,
  takenServer: 8,
  /** 1 when the client has closed its end, or cannot be read any more. */
  clientEnded: 9,
  /** 1 when all bytes of the server have been written, or the client reads no more. */
  serverEnded: 10,
  /** One of `delivery`. */
  delivery: 11,
  /** 1 when the judge takes nothing any more. */
  isBlind: 12,
  /** The state of the spool's file, as `SpoolClaim` knows it. */
  spoolState: 13,
} as const;

/** The thread that forwards. The first to change `starting` decides: the forwarding thread, or the one that waits for it. */
export const threadState = { starting: 0, forwarding: 1, abandoned: 2 } as const;

/** Bytes of the server that were read: none, some that the client has not taken, or some that wait for the judge. */
export const delivery = { none: 0, waitsForClient: 1, waitsForJudge: 2 } as const;

const wordBytes = 64;
const timeBytes = 8;
const headBytes = 128;

/** The memory that the two threads share: words, the time of the last byte, and the ring. */
export type SharedMemory = {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  /** When bytes of the server moved last, on the judge's clock. */
  readonly movedMs: Float64Array;
  /** The ring, byte by byte and as the fields of its records. */
  readonly ring: RecordStore;
};

/** Records in memory: as bytes, as 32-bit fields and as times. All three are views of the same bytes. */
export type RecordStore = {
  readonly bytes: Uint8Array;
  readonly fields: Int32Array;
  readonly times: Float64Array;
};

/** Views of shared memory; makes it when there is none yet. */
export function sharedMemory(
  buffer: SharedArrayBuffer = new SharedArrayBuffer(headBytes + ringBytes),
): SharedMemory {
  return {
    buffer,
    words: new Int32Array(buffer, 0, wordBytes / 4),
    movedMs: new Float64Array(buffer, wordBytes, timeBytes / 8),
    ring: recordStore(buffer, headBytes, ringBytes),
  };
}

/** Views of `size` bytes of a buffer. */
export function recordStore(
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
