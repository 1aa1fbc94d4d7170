import { expect, test, describe } from "bun:test";
import * as fc from "fast-check";
import type { CallRecord } from "#records/record.ts";
import { ToolTally, Durations } from "#records/tool-rows.ts";
import { callRecord } from "../support/made-records.ts";

function tallied(calls: readonly CallRecord[]): ToolTally {
  const tally = new ToolTally();
  for (const call of calls) tally.add(call);
  return tally;
}

const overhead = {
  user_only_tokens: 1,
  preamble_tokens: 2,
  json_tokens: 30,
  minified_tokens: 20,
  structure_ratio: 0.5,
};

test("outcomes are counted apart", () => {
  const outcomes = ["ok", "tool_error", "rpc_error", "cancelled", "refused", "abandoned"] as const;
  const row = tallied(outcomes.map((outcome) => callRecord({ outcome }))).summarize();
  expect(row).toMatchObject({ calls: 6, errors: 2, refused: 1, cancelled: 1, abandoned: 1 });
});

test("tokens add up, the average is rounded, the most expensive is kept", () => {
  const tokens = [1, 2, 5];
  const row = tallied(
    tokens.map((output_tokens) => callRecord({ input_tokens: 0, output_tokens })),
  ).summarize();
  expect(row).toMatchObject({
    output_tokens: 8,
    total_tokens: 8,
    average_tokens: 3,
    max_tokens: 5,
  });
});

test("refused calls add up, and are neither the average nor the largest nor a risk", () => {
  const refused = { outcome: "refused", output_tokens: 50, risk: "critical" } as const;
  const row = tallied([
    callRecord({ input_tokens: 900, ...refused }),
    callRecord({ input_tokens: 5, output_tokens: 6 }),
    callRecord({ input_tokens: 7, output_tokens: 8 }),
  ]).summarize();
  expect(row).toMatchObject({
    total_tokens: 976,
    refused_tokens: 950,
    average_tokens: 13,
    max_tokens: 15,
    risk: "low",
  });
});

test("the most that clients may have read adds up, and is left out where it is the same", () => {
  const plain = callRecord({ input_tokens: 1, output_tokens: 2 });
  const doubtful = callRecord({ input_tokens: 1, output_tokens: 2, most_tokens: 50 });
  expect(tallied([plain, doubtful]).summarize().most_tokens).toBe(53);
  expect(tallied([plain]).summarize()).not.toHaveProperty("most_tokens");
});

test("shapes add up: sizes of tables, and answers that say something", () => {
  const shapes = [
    { rows: 10, columns: 3, truncated: true, row_limit: 10 },
    { rows: 4, columns: 7, truncated: false, cached_result: true, row_limit: 50 },
    { cached_result: false },
  ];
  expect(tallied(shapes.map((shape) => callRecord({ shape }))).shape).toEqual({
    tables: 2,
    rows: 14,
    max_rows: 10,
    max_columns: 7,
    truncated: 1,
    cached: 1,
    max_row_limit: 50,
    limit_reached: 1,
  });
  expect(tallied([callRecord()]).shape).toBeUndefined();
});

test("a refused call that ran was withheld", () => {
  const refused = { outcome: "refused", total_tokens: 10 } as const;
  const calls = [
    callRecord({ ...refused, output_bytes: 0 }),
    callRecord({ ...refused, output_bytes: 9_000 }),
    callRecord({ output_bytes: 9_000 }),
  ];
  expect(tallied(calls).summarize()).toMatchObject({ calls: 3, refused: 2, withheld: 1 });
});

test("no calls are all zeros", () => {
  expect(tallied([]).summarize()).toEqual({
    calls: 0,
    errors: 0,
    refused: 0,
    withheld: 0,
    cancelled: 0,
    abandoned: 0,
    input_tokens: 0,
    output_tokens: 0,
    wire_tokens: 0,
    total_tokens: 0,
    refused_tokens: 0,
    average_tokens: 0,
    max_tokens: 0,
    p95_ms: 0,
    risk: "low",
  });
});

test("overheads add up, the ratio weighted by tokens of JSON", () => {
  const calls = [
    callRecord({ overhead }),
    callRecord(),
    callRecord({ overhead: { ...overhead, structure_ratio: 0.1, json_tokens: 10 } }),
  ];
  const sum = tallied(calls).overhead;
  expect(sum).toMatchObject({ user_only_tokens: 2, preamble_tokens: 4, json_tokens: 40 });
  expect(sum?.structure_ratio).toBeCloseTo(0.4);
});

test("no overhead is null, and no weight is a ratio of 0", () => {
  expect(tallied([callRecord()]).overhead).toBeNull();
  const empty = { ...overhead, structure_ratio: 0, json_tokens: 0 };
  expect(
    tallied([callRecord({ overhead: empty }), callRecord({ overhead: empty })]).overhead,
  ).toMatchObject({
    structure_ratio: 0,
  });
});

test("a row does not depend on the order of its calls", () => {
  const call = fc
    .record({
      input_tokens: fc.nat({ max: 9_999 }),
      output_tokens: fc.nat({ max: 9_999 }),
      duration_ms: fc.nat({ max: 9_999 }),
      outcome: fc.constantFrom("ok", "tool_error", "refused"),
      risk: fc.constantFrom("low", "medium", "high", "critical"),
    })
    .map((members) => callRecord(members));
  fc.assert(
    fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
      expect(tallied(calls.toReversed()).summarize()).toEqual(tallied(calls).summarize());
    }),
  );
});

function folded(list: readonly number[]): Durations {
  const durations = new Durations();
  for (const ms of list) durations.add(ms);
  return durations;
}

function exact(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0;
}

const share = fc.constantFrom(0, 0.25, 0.5, 0.9, 0.95, 0.99, 1);
const durations = fc.array(
  fc.oneof(
    fc.double({ min: 0.001, max: 1e9, noNaN: true }),
    fc.constantFrom(0.001, 1, 1, 10, 3_600_000),
  ),
  { minLength: 1, maxLength: 100 },
);

describe("percentile", () => {
  test("is within one percent of the exact one", () => {
    fc.assert(
      fc.property(durations, share, (list, at) => {
        const wanted = exact(list, at);
        const found = folded(list).percentile(at);
        expect(Math.abs(found - wanted)).toBeLessThanOrEqual(wanted * 0.01);
      }),
    );
  });

  test("does not depend on the order", () => {
    fc.assert(
      fc.property(durations, share, (list, at) => {
        expect(folded(list.toReversed()).percentile(at)).toBe(folded(list).percentile(at));
      }),
    );
  });

  const rows: readonly (readonly [
    what: string,
    list: readonly number[],
    share: number,
    ms: number,
  ])[] = [
    ["nothing", [], 0.95, 0],
    ["no time at all", [0, 0, 0], 0.95, 0],
    ["less than a microsecond", [0.0009], 0.95, 0],
    ["one", [1], 0.95, 1],
    ["19 of 20 fast", [...Array(19).fill(1), 1_000], 0.95, 1],
    ["no time, then some", [0, 0, 1], 0.5, 0],
  ];
  for (const [what, list, at, ms] of rows) {
    test(`of ${what} is ${ms}`, () => {
      expect(folded(list).percentile(at)).toBe(ms);
    });
  }
});
