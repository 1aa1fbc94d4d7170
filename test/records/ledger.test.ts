import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { repeatsRememberedMax } from "#limits/calls.ts";
import { reportServersMax, toolRowsMax } from "#limits/records.ts";
import type { MeterRecord } from "#records/record.ts";
import {
  alertRecord,
  breachRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  protocolRecord,
  sessionRecord,
} from "../support/made-records.ts";
import { summaryOf } from "../support/play.ts";

const rowsOf = (records: readonly MeterRecord[]) =>
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

  test("rows are the tools, most expensive first, and other methods in parentheses", () => {
    const records = [
      callRecord({ tool: "cheap", output_tokens: 1 }),
      callRecord({ tool: "dear", output_tokens: 900 }),
      callRecord({ tool: null, method: "resources/read", output_tokens: 50 }),
      callRecord({ tool: "cheap", output_tokens: 1 }),
    ];
    expect(rowsOf(records)).toEqual([
      ["dear", 1],
      ["(resources/read)", 1],
      ["cheap", 2],
    ]);
  });

  test("a tool and a prompt of one name are two rows", () => {
    expect(rowsOf([callRecord(), callRecord({ method: "prompts/get" })])).toHaveLength(2);
  });

  test("a tool whose name a prompt has is still unused", () => {
    const records = [definitionsRecord(), callRecord({ tool: "search", method: "prompts/get" })];
    expect(summaryOf(records).unused?.names).toEqual(["search", "fetch"]);
  });

  test("tools of one name on two servers are two rows", () => {
    expect(rowsOf([callRecord(), callRecord({ server: "other" })])).toHaveLength(2);
  });

  test("__proto__ is a tool like any other", () => {
    const names = ["__proto__", "constructor", "toString"];
    expect(rowsOf(names.map((tool) => callRecord({ tool })))).toEqual(
      names.map((tool) => [tool, 1]),
    );
  });

  test(`${toolRowsMax} tools have rows of their own, further ones share one`, () => {
    const calls = Array.from({ length: toolRowsMax + 5 }, (_, at) =>
      callRecord({ tool: `t${at}` }),
    );
    const { tools, total } = summaryOf([...calls, callRecord({ tool: "t0" })]);
    expect(tools).toHaveLength(toolRowsMax + 1);
    expect(tools.find(({ tool }) => tool === "(other)")?.calls).toBe(5);
    expect(tools.find(({ tool }) => tool === "t0")?.calls).toBe(2);
    expect(total.calls).toBe(toolRowsMax + 6);
  });

  test("protocol traffic is in no total", () => {
    const summary = summaryOf([callRecord(), protocolRecord(), protocolRecord()]);
    expect(summary.total.total_tokens).toBe(110);
    expect(summary.protocol).toEqual({ messages: 2, bytes: 60, tokens: 6 });
  });

  test("the newest definitions of a server win, servers add up", () => {
    const old = definitionsRecord({ total_tokens: 999 });
    const summary = summaryOf([old, definitionsRecord(), definitionsRecord({ server: "other" })]);
    expect(summary.definitions?.tokens).toBe(320);
  });

  test("what was asked before is a repeat, told by tool and arguments", () => {
    const calls = [
      asked("a", "1"),
      asked("a", "1"),
      asked("a", "2"),
      asked("b", "1"),
      asked("a", "1"),
      asked("c", null),
      asked("c", null),
    ];
    expect(summaryOf(calls).repeats).toEqual({ calls: 2, tokens: 20, tool: "a" });
  });

  test(`${repeatsRememberedMax} distinct calls are remembered`, () => {
    const calls = Array.from({ length: repeatsRememberedMax + 1 }, (_, at) =>
      asked("search", String(at)),
    );
    const again = [repeatsRememberedMax - 1, repeatsRememberedMax].map((at) =>
      asked("search", String(at)),
    );
    expect(summaryOf([...calls, ...again]).repeats.calls).toBe(1);
  });

  test("alerts of one kind and tool are one, with the newest detail", () => {
    const records = [
      alertRecord(),
      alertRecord({ detail: "newer" }),
      alertRecord({ tool: "other" }),
    ];
    expect(
      summaryOf(records).alerts.map(({ tool, detail, count }) => [tool, detail, count]),
    ).toEqual([
      ["search", "newer", 2],
      ["other", "9,000 tokens", 1],
    ]);
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

  test("of sessions of one estimator the least certain one is the estimation", () => {
    const sure = sessionRecord({ is_estimated: false, confidence: "high", estimation_error: "" });
    expect(summaryOf([sure, sessionRecord({ session_id: "b" })]).estimation).toMatchObject({
      estimator: "chars3",
      confidence: "low",
      error: "a rough rule",
      is_estimated: true,
    });
    expect(summaryOf([sure]).estimation).toMatchObject({
      confidence: "high",
      is_estimated: false,
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
    .map((told): MeterRecord => callRecord(told));

  test("sums do not depend on the order of calls", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (calls) => {
        const [one, other] = [summaryOf(calls), summaryOf(calls.toReversed())];
        const sorted = (rows: typeof one.tools) =>
          rows.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
        expect(other.total).toEqual(one.total);
        expect(sorted(other.tools)).toEqual(sorted(one.tools));
        expect(other.truncated_calls).toBe(one.truncated_calls);
        expect(other.repeats.calls).toBe(one.repeats.calls);
      }),
    );
  });

  test("the total row is the sum of the rows, and shares are of it", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 30 }), (calls) => {
        const { tools, total } = summaryOf(calls);
        const sum = (pick: (row: (typeof tools)[number]) => number) =>
          tools.reduce((all, row) => all + pick(row), 0);
        expect(sum((row) => row.total_tokens)).toBe(total.total_tokens);
        expect(sum((row) => row.calls)).toBe(total.calls);
        expect(sum((row) => row.share)).toBeCloseTo(total.total_tokens === 0 ? 0 : 1);
      }),
    );
  });
});

function asked(tool: string, hash: string | null): MeterRecord {
  return callRecord({ tool, arguments_sha256: hash, input_tokens: 0, output_tokens: 10 });
}

function keyOf(row: { server: string; method: string; tool: string }): string {
  return `${row.server} ${row.method} ${row.tool}`;
}
