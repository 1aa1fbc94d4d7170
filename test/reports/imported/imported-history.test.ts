import { expect, test } from "bun:test";
import { ImportedHistory } from "#reports/imported/imported-history.ts";
import { call, conversation, threeTurns } from "./made-history.ts";

test("each record counts once, in any order", () => {
  const history = new ImportedHistory();
  expect(history.isEmpty).toBe(true);
  const records = [call(0), call(1), ...threeTurns, conversation];
  for (const record of [...records, ...records.toReversed()]) history.add(record);
  const [found, ...more] = history.conversations.values();
  expect([found?.turns.size, found?.calls.size, more.length]).toEqual([3, 2, 0]);
  expect(found?.record).toEqual(conversation as never);
  expect([history.isEmpty, history.leftOut]).toEqual([false, 0]);
});

test("calls of another session with the same sequence are others", () => {
  const history = new ImportedHistory();
  for (const id of ["a", "b"]) history.add(call(0, { session_id: id }));
  expect([...history.conversations.values()][0]?.calls.size).toBe(2);
});

test("a record whose time cannot be read is not one", () => {
  const history = new ImportedHistory();
  for (const ts of ["yesterday", "2026-11-20T10:00:00", "+123456-11-20T10:00:00.000Z"]) {
    expect(history.add(call(0, { ts }))).toBe(false);
  }
  expect(history.isEmpty).toBe(true);
  expect(history.add(call(0))).toBe(true);
});
