import { expect, test } from "bun:test";
import type { CallRecord } from "#records/record.ts";
import { ToolRows, toolRowsMax } from "#records/tool-rows.ts";
import { callRecord } from "../support/made-records.ts";

function tallyCalls(calls: readonly CallRecord[]): ToolRows {
  const rows = new ToolRows();
  for (const call of calls) rows.add(call);
  return rows;
}

test("ToolRows has a row per server, method and tool, most expensive first", () => {
  const rows = tallyCalls([
    callRecord({ tool: "cheap", output_tokens: 1 }),
    callRecord({ server: "other" }),
    callRecord({ server: "third" }),
    callRecord({ server: "third", method: "prompts/get" }),
    callRecord({ tool: null, method: "resources/read", output_tokens: 900 }),
    callRecord({ tool: "cheap", output_tokens: 1 }),
  ]).summarize();
  expect(rows.map(({ server, method, tool, calls }) => [server, method, tool, calls])).toEqual([
    ["garden", "resources/read", "(resources/read)", 1],
    ["other", "tools/call", "search", 1],
    ["third", "tools/call", "search", 1],
    ["third", "prompts/get", "search", 1],
    ["garden", "tools/call", "cheap", 2],
  ]);
});

test("ToolRows shares are of the total, and 0 of nothing", () => {
  const calls = [callRecord({ tool: "a" }), callRecord({ tool: "b", duplicate_tokens: 5 })];
  const rows = tallyCalls(calls);
  expect(rows.summarize().map(({ share }) => share)).toEqual([0.5, 0.5]);
  expect([rows.total.calls, rows.duplicateTokens]).toEqual([2, 5]);
  const free = callRecord({ input_tokens: 0, output_tokens: 0 });
  expect(tallyCalls([free]).summarize()[0]?.share).toBe(0);
});

test(`ToolRows beyond ${toolRowsMax} tools adds up the others in one row`, () => {
  const names = Array.from({ length: toolRowsMax + 2 }, (_, at) => `t${at}`);
  const rows = tallyCalls([...names, "t0"].map((tool) => callRecord({ tool }))).summarize();
  expect(rows).toHaveLength(toolRowsMax + 1);
  expect(rows.find(({ tool }) => tool === "(other)")?.calls).toBe(2);
  expect(rows.find(({ tool }) => tool === "t0")?.calls).toBe(2);
});
