import { expect, test } from "bun:test";
import {
  recordField,
  recordHeadBytes,
  recordKind,
  countRecordUnits,
  toSide,
  unitBytes,
  writeKind,
  writeSequence,
  makeRecordStore,
} from "#transport/forwarder/shared-memory.ts";

test("recordUnits: the head, and the bytes in whole units", () => {
  expect([0, 1, 8, 9].map(countRecordUnits)).toEqual([3, 4, 4, 5]);
  expect(recordHeadBytes % unitBytes).toBe(0);
});

test("the fields of a record are read as they were written, and touch no byte after its head", () => {
  const store = makeRecordStore(new ArrayBuffer(64), 0, 64);
  writeKind(store, 1, recordKind.serverBytes, 77);
  writeSequence(store, 1, -3, 1_234.5);
  const { size, kind, sequence, atMs } = recordField;
  expect([size, kind, sequence, atMs].map((field) => field(store, 1))).toEqual([
    77,
    recordKind.serverBytes,
    -3,
    1_234.5,
  ]);
  expect(store.bytes.subarray(0, 8).every((byte) => byte === 0)).toBe(true);
  expect(store.bytes.subarray(8 + recordHeadBytes).every((byte) => byte === 0)).toBe(true);
});

test("readSide", () => {
  const { clientBytes, clientEnd, clientCut, serverBytes, serverEnd } = recordKind;
  expect([clientBytes, clientEnd, clientCut].map(toSide)).toEqual(["client", "client", "client"]);
  expect([serverBytes, serverEnd].map(toSide)).toEqual(["server", "server"]);
});
