import type { Side } from "#wire/side.ts";
import type { RecordStore } from "./shared-memory.ts";

export const recordKind = {
  skip: 0,
  clientBytes: 1,
  serverBytes: 2,
  clientEnd: 3,
  serverEnd: 4,
  /** The server reads no more, so the client is not read any more: its last line may be unfinished. */
  clientCut: 5,
} as const;

export type RecordKind = (typeof recordKind)[keyof typeof recordKind];

export const unitBytes = 8;

export const recordHeadBytes = 24;

export function recordUnits(bytes: number): number {
  return (recordHeadBytes + bytes + unitBytes - 1) >>> 3;
}

/** Plain numbers: the forwarding thread makes no garbage. */
export const recordField = {
  size: (store: RecordStore, unit: number): number => store.fields[unit * 2] ?? 0,
  kind: (store: RecordStore, unit: number): number => store.fields[unit * 2 + 1] ?? 0,
  sequence: (store: RecordStore, unit: number): number => store.fields[unit * 2 + 2] ?? 0,
  atMs: (store: RecordStore, unit: number): number => store.times[unit + 2] ?? 0,
};

export function writeKind(store: RecordStore, unit: number, kind: number, size: number): void {
  store.fields[unit * 2] = size;
  store.fields[unit * 2 + 1] = kind;
}

export function writeOrder(store: RecordStore, unit: number, sequence: number, atMs: number): void {
  store.fields[unit * 2 + 2] = sequence;
  store.fields[unit * 2 + 3] = 0;
  store.times[unit + 2] = atMs;
}

export function sideOf(kind: number): Side {
  return kind === recordKind.serverBytes || kind === recordKind.serverEnd ? "server" : "client";
}
