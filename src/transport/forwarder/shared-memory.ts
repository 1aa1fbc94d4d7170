// Some thousands of small messages.
export const ringBytes = 1024 * 1024;

/** Each is written by one thread, except the first two. */
export const word = {
  state: 0,
  isAsleep: 1,
  ringHead: 2,
  ringTail: 3,
  spoolHead: 4,
  spoolTail: 5,
  spoolFile: 6,
  takenClient: 7,
  takenServer: 8,
  clientEnded: 9,
  serverEnded: 10,
  delivery: 11,
  isBlind: 12,
  spoolState: 13,
} as const;

/** The first to change `starting` decides: the forwarding thread, or the one that waits for it. */
export const threadState = { starting: 0, forwarding: 1, abandoned: 2 } as const;

export const delivery = { none: 0, waitsForClient: 1, waitsForJudge: 2 } as const;

const wordBytes = 64;
const timeBytes = 8;
const headBytes = 128;

export type SharedMemory = {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly movedMs: Float64Array;
  readonly ring: RecordStore;
};

export type RecordStore = {
  readonly bytes: Uint8Array;
  readonly fields: Int32Array;
  readonly times: Float64Array;
};

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
