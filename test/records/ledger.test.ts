import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { MeterRecord } from "#records/record.ts";
import {
  breachRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  protocolRecord,
  sessionRecord,
} from "../support/made-records.ts";
import { summaryOf } from "../support/play.ts";
import { reportServersMax } from "#records/ledger.ts";

const listRows = (records: readonly MeterRecord[]) =>
  summaryOf(records).tools.map(({ tool, calls }) => [tool, calls]);

describe("Ledger", () => {
  test("no records make a summary of zeros", () => {
    expect(summaryOf([])).toMatchObject({
      sessions: 0,
      servers: [],
      estimation: null,
      definitions: null,
      unused: null,
      tools: [],
      window: 200_000,
      total: { calls: 0 },
    });
  });

  test("a tool whose name a prompt has is still unused", () => {
    const records = [definitionsRecord(), callRecord({ tool: "search", method: "prompts/get" })];
    expect(summaryOf(records).unused?.names).toEqual(["search", "fetch"]);
  });

  test("__proto__ is a tool like any other", () => {
    const names = ["__proto__", "constructor", "toString"];
    expect(listRows(names.map((tool) => callRecord({ tool })))).toEqual(
      names.map((tool) => [tool, 1]),
    );
  });

  test("protocol traffic is in no total", () => {
    const summary = summaryOf([callRecord(), protocolRecord(), protocolRecord()]);
    expect(summary.total.total_tokens).toBe(110);
    expect(summary.protocol).toEqual({ messages: 2, bytes: 60, tokens: 6 });
  });

  test("breaches are counted, enforced ones apart", () => {
    const records = [breachRecord(), breachRecord({ is_enforced: false })];
    expect(summaryOf(records)).toMatchObject({ breaches: 2, enforced_breaches: 1 });
  });

  test("the newest end of a session replaces its earlier ones", () => {
    const ends = [1, 4, 3].map((seq) => endRecord({ seq, late_answers: seq }));
    expect(summaryOf(ends)).toMatchObject({ late_answers: 4, duration_ms: 1_000 });
  });

  test("ends add up over sessions", () => {
    const end = endRecord({
      late_answers: 1,
      dropped_records: 2,
      observer_faults: 3,
      opaque_server_lines: 4,
    });
    expect(summaryOf([end, { ...end, session_id: "another" }])).toMatchObject({
      late_answers: 2,
      dropped_records: 4,
      observer_faults: 6,
      opaque_server_lines: 8,
      duration_ms: 2_000,
    });
  });

  test("clients are named once, unknown ones not at all", () => {
    const names = ["a", null, "b", "a"];
    const sessions = names.map((client_name, at) =>
      sessionRecord({ client_name, session_id: `s${at}` }),
    );
    expect(summaryOf(sessions).clients).toEqual(["a", "b"]);
  });

  test("the newest record of a session replaces its earlier ones: its client named itself late", () => {
    const late = sessionRecord({ seq: 7, client_name: "late" });
    const summary = summaryOf([sessionRecord({ client_name: null }), late]);
    expect([summary.sessions, summary.clients]).toEqual([1, ["late"]]);
  });

  test(`${reportServersMax} servers are named`, () => {
    const calls = Array.from({ length: reportServersMax + 1 }, (_, at) =>
      callRecord({ server: `s${at}` }),
    );
    expect(summaryOf(calls).servers).toHaveLength(reportServersMax);
  });

  test("more sessions than servers are counted once, each with its end", () => {
    const ids = Array.from({ length: reportServersMax + 1 }, (_, at) => `s${at}`);
    const records = ids.flatMap((session_id) => [
      sessionRecord({ session_id }),
      sessionRecord({ session_id, seq: 7 }),
      endRecord({ session_id, late_answers: 1 }),
    ]);
    const { sessions, late_answers: late } = summaryOf(records);
    expect([sessions, late]).toEqual([ids.length, ids.length]);
  });

  const anyCall = fc
    .record({
      tool: fc.constantFrom("a", "b", null),
      server: fc.constantFrom("one", "two"),
      input_tokens: fc.nat({ max: 500 }),
      output_tokens: fc.nat({ max: 500 }),
      duration_ms: fc.nat({ max: 5_000 }),
      outcome: fc.constantFrom("ok", "tool_error", "cancelled", "abandoned"),
      arguments_sha256: fc.constantFrom("x", "y", null),
      truncated: fc.boolean(),
    })
    .map((members): MeterRecord => callRecord(members));

  test("sums do not depend on the order of calls", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (calls) => {
        const [summary, reversed] = [summaryOf(calls), summaryOf(calls.toReversed())];
        const sorted = (rows: typeof summary.tools) =>
          rows.toSorted((a, b) => makeKey(a).localeCompare(makeKey(b)));
        expect(reversed.total).toEqual(summary.total);
        expect(sorted(reversed.tools)).toEqual(sorted(summary.tools));
        expect(reversed.truncated_calls).toBe(summary.truncated_calls);
        expect(reversed.repeats.calls).toBe(summary.repeats.calls);
      }),
    );
  });

  test("the total row is the sum of the rows, and shares are of it", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (calls) => {
        const { tools, total } = summaryOf(calls);
        const sum = (pick: (row: (typeof tools)[number]) => number) =>
          tools.reduce((amount, row) => amount + pick(row), 0);
        expect(sum((row) => row.total_tokens)).toBe(total.total_tokens);
        expect(sum((row) => row.calls)).toBe(total.calls);
        expect(sum((row) => row.share)).toBeCloseTo(total.total_tokens === 0 ? 0 : 1);
      }),
    );
  });
});

function makeKey(row: { server: string; method: string; tool: string }): string {
  return `${row.server} ${row.method} ${row.tool}`;
}
