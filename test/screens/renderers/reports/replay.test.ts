import { expect, test } from "bun:test";
import { renderReplay, type ReplayReport } from "#screens/renderers/reports/replay.ts";

const report: ReplayReport = {
  schema_version: "1.0",
  period: "7 days",
  hasCalls: true,
  budgets: [
    {
      budget: "read=2k:truncate",
      action: "truncate",
      calls: 20,
      breaches: 1,
      tokens: 49_200,
      spared_tokens: 28_010,
    },
    { budget: "small=1", action: "error", calls: 9, breaches: 9, tokens: 400, spared_tokens: -500 },
    { budget: "none=1", action: "error", calls: 0, breaches: 0, tokens: 0, spared_tokens: 0 },
  ],
};

test("a row for each budget, with the share that it would have spared", () => {
  const lines = renderReplay("table", report, { color: false }).split("\n");
  expect(lines[0]).toBe("mcp-meter: budgets replayed over the calls of 7 days");
  expect(lines.find((line) => line.startsWith("read=2k"))?.split(/ {2,}/)).toEqual([
    "read=2k:truncate",
    "20",
    "1",
    "~49,200",
    "~28,010",
    "57%",
  ]);
  expect(lines.find((line) => line.startsWith("small=1"))).toMatch(/ ~−500 +−125%$/);
  expect(lines.find((line) => line.startsWith("none=1"))?.trimEnd()).toEndWith("0.0%");
});

test("without calls it is one line", () => {
  const text = renderReplay("table", { ...report, hasCalls: false }, { color: false });
  expect(text).toBe("mcp-meter: no calls in 7 days\n");
});

test("JSON is the report itself", () => {
  const { hasCalls: _hasCalls, ...data } = report;
  expect(JSON.parse(renderReplay("json", report, { color: false }))).toEqual(data);
});
