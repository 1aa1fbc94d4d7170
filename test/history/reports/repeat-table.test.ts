import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { tabledCallsMax, RepeatRoom, RepeatTable } from "#history/reports/repeat-table.ts";
import { MadeNumbers } from "../../support/made-usage.ts";

const makeHash = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("RepeatTable", () => {
  test("all equal calls but the first by sequence are repeats, in any order", () => {
    const table = new RepeatTable(new RepeatRoom());
    const hash = makeHash("a");
    expect(table.add(1, hash, { seq: 5, tokens: 50, cell: 0 })).toBeUndefined();
    expect(table.add(1, hash, { seq: 7, tokens: 70, cell: 1 })).toEqual({
      seq: 7,
      tokens: 70,
      cell: 1,
    });
    expect(table.add(1, hash, { seq: 3, tokens: 30, cell: 2 })).toEqual({
      seq: 5,
      tokens: 50,
      cell: 0,
    });
    expect(table.add(1, hash, { seq: 4, tokens: 40, cell: 3 })?.seq).toBe(4);
  });

  test("calls of another group or with other arguments are no repeats", () => {
    const table = new RepeatTable(new RepeatRoom());
    const call = { seq: 1, tokens: 1, cell: 0 };
    expect(table.add(0, makeHash("a"), call)).toBeUndefined();
    expect(table.add(1, makeHash("a"), call)).toBeUndefined();
    expect(table.add(0, makeHash("b"), call)).toBeUndefined();
    expect(table.add(0, makeHash("a"), { ...call, seq: 2 })?.seq).toBe(2);
  });

  test("finds as many among thousands as a map does", () => {
    const table = new RepeatTable(new RepeatRoom());
    const numbers = new MadeNumbers(3);
    const known = new Set<string>();
    for (let seq = 0; seq < 20_000; seq += 1) {
      const [group, name] = [numbers.below(9), String(numbers.below(900))];
      const isRepeat = table.add(group, makeHash(name), { seq, tokens: 1, cell: 0 }) !== undefined;
      expect(isRepeat).toBe(known.has(`${group} ${name}`));
      known.add(`${group} ${name}`);
    }
  });

  test(`compares ${tabledCallsMax} distinct calls of all sessions, and counts the others`, () => {
    const room = new RepeatRoom();
    const [a, b] = [new RepeatTable(room), new RepeatTable(room)];
    const hash = makeHash("a");
    b.add(0, hash, { seq: 0, tokens: 1, cell: 0 });
    for (let group = 1; group < tabledCallsMax; group += 1) {
      a.add(group, hash, { seq: 0, tokens: 1, cell: 0 });
    }
    expect(room.leftOut).toBe(0);
    expect(b.add(1, hash, { seq: 0, tokens: 1, cell: 0 })).toBeUndefined();
    expect(room.leftOut).toBe(1);
    expect(b.add(0, hash, { seq: 1, tokens: 1, cell: 0 })?.seq).toBe(1);
  });

  test("does not compare numbers beyond 32 bits", () => {
    const room = new RepeatRoom();
    const table = new RepeatTable(room);
    table.add(0, makeHash("a"), { seq: 2 ** 32, tokens: 1, cell: 0 });
    table.add(0, makeHash("a"), { seq: 0, tokens: 2 ** 32, cell: 0 });
    expect(room.leftOut).toBe(2);
  });
});
