import { describe, expect, test } from "bun:test";
import type { Axis } from "#reports/axes.ts";
import { makeTable, type RowChoice } from "#reports/make-table.ts";
import { callRecord } from "../support/made-records.ts";
import { usageFacts } from "../support/usage-facts.ts";

const call = (seq: number, server: string, day: number, tokens: number) =>
  callRecord({
    seq,
    server,
    ts: `2026-11-0${day}T12:00:00.000Z`,
    input_tokens: 0,
    output_tokens: tokens,
  });

const facts = usageFacts([
  call(0, "a", 1, 10),
  call(1, "a", 2, 20),
  call(2, "b", 2, 500),
  call(3, "c", 2, 30),
  call(4, "c", 3, 4),
]);

const all: RowChoice = { order: undefined, top: undefined };

function rows(by: readonly Axis[], choice: Partial<RowChoice> = {}): unknown[] {
  return makeTable(by, facts, 564, { ...all, ...choice }).rows.map((row) =>
    [row.day, row.server, row.more, row.total_tokens].filter((cell) => cell !== undefined),
  );
}

describe("makeTable", () => {
  test("periods ascend, others begin with the most tokens; both can be turned round", () => {
    expect(rows(["day"])).toEqual([
      ["2026-11-01", 10],
      ["2026-11-02", 550],
      ["2026-11-03", 4],
    ]);
    expect(rows(["day"], { order: "desc" })).toEqual(rows(["day"]).toReversed());
    expect(rows(["server"])).toEqual([
      ["b", 500],
      ["c", 34],
      ["a", 30],
    ]);
    expect(rows(["server"], { order: "asc" })).toEqual(rows(["server"]).toReversed());
  });

  test("the largest rows stay in their order, the rest is one row", () => {
    expect(rows(["day"], { top: 2 })).toEqual([
      ["2026-11-01", 10],
      ["2026-11-02", 550],
      [1, 4],
    ]);
    expect(rows(["server"], { top: 1 })).toEqual([
      ["b", 500],
      [2, 64],
    ]);
    expect(rows(["server"], { top: 3 })).toEqual(rows(["server"]));
  });

  test("rows inside rows: the order of periods is turned, that of servers is not", () => {
    expect(rows(["day", "server"], { top: 1, order: "desc" })).toEqual([
      ["2026-11-03", "c", 4],
      ["2026-11-02", "b", 500],
      ["2026-11-02", 2, 50],
      ["2026-11-01", "a", 10],
    ]);
  });

  test("sessions of the rest are counted once", () => {
    const [, rest] = makeTable(["server"], facts, 564, { ...all, top: 1 }).rows;
    expect(rest).toMatchObject({ more: 2, sessions: 1, calls: 4 });
  });
});
