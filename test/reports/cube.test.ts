import { describe, expect, test } from "bun:test";
import type { MeterRecord } from "#records/record.ts";
import { Cube } from "#reports/cube.ts";
import type { UsageFact } from "#reports/usage-fact.ts";
import type { TimeRange } from "#reports/time-range.ts";
import { TimeZone } from "#reports/time-zone.ts";
import {
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../support/made-records.ts";
import { allTime } from "../support/usage-facts.ts";

const zone = new TimeZone("UTC");
const hash = "a".repeat(64);

function cubeOf(records: readonly MeterRecord[], ranges: readonly TimeRange[] = [allTime]): Cube {
  const cube = new Cube({ ranges, zone });
  for (const record of records) cube.add(record);
  return cube;
}

const factsOf = (records: readonly MeterRecord[], ranges?: readonly TimeRange[]): UsageFact[] =>
  cubeOf(records, ranges).facts();

const callsIn = (facts: readonly UsageFact[]): number =>
  facts.reduce((sum, { sums }) => sum + sums.calls, 0);

const at = (hour: number): string => `2026-11-01T0${hour}:00:00.000Z`;

describe("Cube", () => {
  test("a record counts once, however often and in whichever order it comes", () => {
    const records = [
      sessionRecord({ seq: 0 }),
      definitionsRecord({ seq: 1 }),
      callRecord({ seq: 2, arguments_sha256: hash }),
      callRecord({ seq: 3, arguments_sha256: hash }),
      endRecord({ seq: 4 }),
    ];
    const once = factsOf(records);
    expect(callsIn(once)).toBe(2);
    expect(factsOf([...records, ...records])).toEqual(once);
    expect(factsOf(records.toReversed())).toEqual(once);
  });

  test("the newest session record counts, wherever it is", () => {
    const older = sessionRecord({ seq: 0, client_name: null, estimator: "chars3" });
    const newer = sessionRecord({ seq: 5, client_name: "codex", model: "gpt-6" });
    for (const records of [
      [older, newer, callRecord({ seq: 6 })],
      [callRecord({ seq: 6 }), newer, older],
    ]) {
      const [fact] = factsOf(records);
      expect(fact).toMatchObject({ session: { client: "codex", model: "gpt-6" }, model: "gpt-6" });
    }
  });

  test("the model that a call names wins over that of its session", () => {
    const facts = factsOf([
      sessionRecord({ seq: 0, model: "opus" }),
      callRecord({ seq: 1 }),
      callRecord({ seq: 2, model: "haiku" }),
    ]);
    expect(facts.filter(({ sums }) => sums.calls > 0).map(({ model }) => model)).toEqual([
      "opus",
      "haiku",
    ]);
  });

  test("a repeat is counted where it is: the later one of two by sequence", () => {
    const first = callRecord({ seq: 1, arguments_sha256: hash, ts: "2026-11-01T23:59:59.000Z" });
    const second = callRecord({
      seq: 2,
      arguments_sha256: hash,
      ts: "2026-11-02T00:00:00.000Z",
      output_tokens: 7,
    });
    const refused = callRecord({ seq: 3, arguments_sha256: hash, outcome: "refused" });
    for (const records of [
      [first, second, refused],
      [refused, second, first],
    ]) {
      const days = factsOf(records).map(({ day, sums }) => [
        day - 20_758,
        sums.repeated_calls,
        sums.repeated_tokens,
      ]);
      expect(days.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
        [-61, 0, 0],
        [0, 0, 0],
        [1, 1, 17],
      ]);
    }
  });

  test("calls count in the period of their time, attributes of the session in all", () => {
    const records = [
      sessionRecord({ seq: 0, ts: at(1), client_name: "codex" }),
      definitionsRecord({ seq: 1, ts: at(1) }),
      callRecord({ seq: 2, ts: at(2) }),
      callRecord({ seq: 3, ts: at(3) }),
      callRecord({ seq: 4, ts: at(4) }),
    ];
    const [fromMs, toMs] = [Date.parse(at(3)), Date.parse(at(4))];
    const earlier = { fromMs: Date.parse(at(2)), toMs: fromMs };
    const facts = factsOf(records, [{ fromMs, toMs }, earlier]);
    expect(facts.map(({ range, sums, session }) => [range, sums.calls, session.client])).toEqual([
      [1, 1, "codex"],
      [0, 1, "codex"],
    ]);
  });

  test("a record without a readable time is none", () => {
    const cube = cubeOf([]);
    expect(cube.add(callRecord({ ts: "" }))).toBe(false);
    expect(cube.add(endRecord({ ts: "yesterday" }))).toBe(false);
    expect(cube.add(callRecord())).toBe(true);
  });

  test("calls of a session without a record have no client and no estimator", () => {
    const [fact] = factsOf([callRecord()]);
    expect(fact?.session).toMatchObject({ client: null, estimation: null });
  });
});
