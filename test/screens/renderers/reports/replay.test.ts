import { expect, test } from "bun:test";
import {
  renderReplay,
  type ReplayReport,
  renderSequences,
} from "#screens/renderers/reports/replay.ts";

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

test("long names that differ only at their ends stay apart", () => {
  const server = "documentation-of-the-whole-company";
  const names = ["search_published_pages_by_title", "search_published_pages_by_author"];
  const [first = "", next = ""] = names;
  const sequence = {
    first: { server, tool: first, calls: 1 },
    next: { server, tool: next, calls: 1.5 },
    times: 4,
    tokens: 4_000,
    share: 0.4,
  };
  const data = { schema_version: "1.0", period: "7 days", sequences: [sequence], more: 0 } as const;
  const text = renderSequences("table", data, { color: false });
  expect(text).toContain(`${server} · ${first}  ${server} · ${next} ×1.5  `);
  const budget = `${first}=20k/day:truncate`;
  const budgets = report.budgets.map((row) => ({ ...row, budget }));
  expect(renderReplay("table", { ...report, budgets }, { color: false })).toContain(`${budget}  `);
});
