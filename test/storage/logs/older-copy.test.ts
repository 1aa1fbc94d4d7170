import { expect, test } from "bun:test";
import type { ImportedRecord } from "#records/imported-record.ts";
import { eventKey, isOlderCopy } from "#storage/logs/older-copy.ts";

const common = { schema_version: "1.1", session_id: "s", conversation_id: "c" } as const;

function turn(index: number): ImportedRecord {
  return {
    type: "turn",
    ...common,
    ts: `2026-03-14T12:0${index}:00.000Z`,
    seq: index,
    index,
    model: "m",
    uncached_tokens: 1,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 1,
    reasoning_tokens: 0,
    native_cost_usd: null,
    after_boundary: false,
    is_estimated: false,
  };
}

const lines = (...records: readonly ImportedRecord[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

const nowhere = () => false;

test("records that go on after what was read are of a newer copy", () => {
  expect(isOlderCopy(lines(turn(0), turn(1)), [turn(0)], nowhere)).toBe(true);
});

test("a log that grew, one that lost an event before its last, and a file of no records are no older copy", () => {
  expect(isOlderCopy(lines(turn(0)), [turn(0), turn(1)], nowhere)).toBe(false);
  expect(isOlderCopy(lines(turn(0), turn(1)), [turn(1)], nowhere)).toBe(false);
  for (const torn of ["torn", "[]\n", `${lines(turn(1))}{`])
    expect(isOlderCopy(torn, [turn(0)], nowhere)).toBe(false);
});

test("events that another conversation has now were moved there", () => {
  const moved = (key: string) => key === eventKey(turn(1));
  expect(isOlderCopy(lines(turn(0), turn(1)), [turn(0)], moved)).toBe(false);
});
