import { describe, expect, test } from "bun:test";
import {
  CallTable,
  type TableCall,
  dashCallsMax,
  dashCallsPerChunk,
} from "#screens/dash/model/call-table.ts";

function makeCall(overrides: Partial<TableCall> = {}): TableCall {
  return {
    ms: 1_000,
    session: "s",
    server: "github",
    tool: "search",
    seq: 1,
    input: 10,
    output: 90,
    visible: 90,
    wire: 120,
    duplicate: 3,
    durationMs: 25,
    context: 500,
    outcome: "ok",
    ...overrides,
  };
}

const calls = { fromMs: -Infinity };

describe("CallTable", () => {
  test("gives back every number and name of a call", () => {
    const table = new CallTable();
    table.add(makeCall({ outcome: "refused", ms: 1_700_000_000_123 }));
    expect([
      table.readTimeMs(0),
      table.readSession(0),
      table.readServer(0),
      table.readTool(0),
    ]).toEqual([1_700_000_000_123, "s", "github", "search"]);
    expect(table.readOutcome(0)).toBe("refused");
    expect(table.sumTokens(0)).toBe(100);
    const names = ["seq", "input", "output", "visible", "wire", "duplicate"] as const;
    expect(names.map((name) => table.readAmount(0, name))).toEqual([1, 10, 90, 90, 120, 3]);
    expect([table.readAmount(0, "durationMs"), table.readAmount(0, "context")]).toEqual([25, 500]);
  });

  test("chooses rows by time, session, server and tool, also by names that it does not have", () => {
    const table = new CallTable();
    table.add(makeCall());
    table.add(makeCall({ ms: 2_000, server: "memory" }));
    table.add(makeCall({ ms: 3_000, session: "t", tool: "read" }));
    const selectRows = (choice: object): number[] => [...table.selectRows({ ...calls, ...choice })];
    expect(selectRows({})).toEqual([0, 1, 2]);
    expect(selectRows({ fromMs: 2_000 })).toEqual([1, 2]);
    expect(selectRows({ session: "s", server: "github" })).toEqual([0]);
    expect(selectRows({ tool: "read" })).toEqual([2]);
    expect(selectRows({ tool: "github" })).toEqual([]);
  });

  test("grows by whole parts, and numbers beyond 32 bits are the largest", () => {
    const table = new CallTable();
    for (let seq = 0; seq <= dashCallsPerChunk; seq += 1) table.add(makeCall({ seq, ms: seq }));
    expect(table.readAmount(dashCallsPerChunk, "seq")).toBe(dashCallsPerChunk);
    expect([...table.selectRows({ fromMs: dashCallsPerChunk - 1 })]).toEqual([
      dashCallsPerChunk - 1,
      dashCallsPerChunk,
    ]);
    table.add(makeCall({ output: 2 ** 40, durationMs: 0.6 }));
    expect(table.readAmount(dashCallsPerChunk + 1, "output")).toBe(2 ** 32 - 1);
    expect(table.readAmount(dashCallsPerChunk + 1, "durationMs")).toBe(1);
  });

  test("counts the calls for which there is no room", () => {
    const table = new CallTable();
    const call = makeCall();
    for (let at = 0; at < dashCallsMax + 2; at += 1) table.add(call);
    expect(table.leftOut).toBe(2);
  });
});
