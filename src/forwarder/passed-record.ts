import type { Side } from "#wire/side.ts";
import type { RecordStore } from "./shared-memory.ts";

/** The kinds of records in the ring and the spool; `skip` stands for unused room at the end of a store. */
export const recordKind = {
  skip: 0,
  clientBytes: 1,
  serverBytes: 2,
  clientEnd: 3,
  serverEnd: 4,
  /** The server reads no more, so the client is not read any more: its last line may be unfinished. */
  clientCut: 5,
} as const;

/** One of the kinds of a record. */
export type RecordKind = (typeof recordKind)[keyof typeof recordKind];

/** Stores are measured in units of 8 bytes, so that their positions fit into 32 bits. */
export const unitBytes = 8;

/** The bytes before those of a record: its size, kind, sequence, an unused field, and its time. */
export const recordHeadBytes = 24;

/** Units of a record with that number of bytes. */
export function recordUnits(bytes: number): number {
  return (recordHeadBytes + bytes + unitBytes - 1) >>> 3;
}

/** The fields of a record, at the unit where it begins. All are plain numbers: the forwarding thread makes no garbage. */
export const recordField = {
  size: (store: RecordStore, unit: number): number => store.fields[unit * 2] ?? 0,
  kind: (store: RecordStore, unit: number): number => store.fields[unit * 2 + 1] ?? 0,
  /** Counts records modulo 2^32, in whichever store they are. */
  sequence: (store: RecordStore, unit: number): number => store.fields[unit * 2 + 2] ?? 0,
  /** When the bytes were read, on the judge's monotonic clock. */
  atMs: (store: RecordStore, unit: number): number => store.times[unit + 2] ?? 0,
};

/** Writes the kind of a record, and how many bytes follow its head. */
export function writeKind(store: RecordStore, unit: number, kind: number, size: number): void {
  store.fields[unit * 2] = size;
  store.fields[unit * 2 + 1] = kind;
}

/** Writes the other fields of a record's head. */
export function writeOrder(store: RecordStore, unit: number, sequence: number, atMs: number): void {
  store.fields[unit * 2 + 2] = sequence;
  store.fields[unit * 2 + 3] = 0;
  store.times[unit + 2] = atMs;
}

/** The side of a record's bytes or end. */
export function sideOf(kind: number): Side {
  return kind === recordKind.serverBytes || kind === recordKind.serverEnd ? "server" : "client";
}
