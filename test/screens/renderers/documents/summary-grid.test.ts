import { describe, expect, test } from "bun:test";
import type { Summary } from "#records/summary.ts";
import { readCellText } from "#screens/renderers/document.ts";
import { buildSummaryGrid } from "#screens/renderers/documents/summary-table.ts";
import { summaryRowsMax } from "#screens/renderers/documents/shared-texts.ts";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { escapeForTerminal } from "#screens/renderers/terminal.ts";
import { alertRecord, callRecord } from "../../../support/made-records.ts";
import { madePrices } from "../../../support/made-prices.ts";
import { fullSummary } from "../../../support/made-summary.ts";
import { summaryOf } from "../../../support/play.ts";

function listRows(summary: Summary, isEstimated = false): string[][] {
  const grid = buildSummaryGrid(summary, makeTokenFormat(isEstimated));
  if (grid.kind !== "grid") throw new Error("not a grid");
  for (const row of grid.rows) expect(row).toHaveLength(grid.columns.length);
  return grid.rows.map((row) => row.map((cell) => escapeForTerminal(readCellText(cell))));
}

describe("summaryGrid", () => {
  test("has a cell per column in every row, the total last", () => {
    const rows = listRows(fullSummary());
    expect(rows.map(([tool]) => tool)).toEqual(["search", "read", "(resources/read)", "total"]);
  });

  test("marks estimates, and exact numbers not", () => {
    const summary = summaryOf([callRecord()]);
    expect(listRows(summary).at(-1)?.join(" ")).toBe("total 1 0 0 10 100 110 100% 110 110 12 low");
    expect(listRows(summary, true).at(-1)?.join(" ")).toBe(
      "total 1 0 0 ~10 ~100 ~110 100% ~110 ~110 12 low",
    );
  });

  test("has the tokens of the wire where a client left a part of an answer", () => {
    const calls = [callRecord({ wire_tokens: 9_000 }), callRecord({ tool: "fetch" })];
    const summary = summaryOf([...calls, alertRecord({ alert: "would_spill" })]);
    const grid = buildSummaryGrid(summary, makeTokenFormat(false));
    const heads = grid.kind === "grid" ? grid.columns.map(({ head }) => head) : [];
    expect(heads.slice(4, 8)).toEqual(["args", "result", "wire", "in calls"]);
    expect(listRows(summary).at(-1)?.slice(4, 8)).toEqual(["20", "200", "9,100", "220"]);
  });

  test("has the cost of each row where there are prices, empty for a row without one", () => {
    const calls = [
      callRecord({ model: "opus", input_tokens: 1_000, output_tokens: 10_000 }),
      callRecord({ tool: "fetch", output_tokens: 1 }),
    ];
    const summary = summaryOf(calls, madePrices());
    const grid = buildSummaryGrid(summary, makeTokenFormat(false));
    const heads = grid.kind === "grid" ? grid.columns.map(({ head }) => head) : [];
    expect(heads.slice(6, 9)).toEqual(["in calls", "call share", "cost"]);
    expect(listRows(summary).map((row) => row[8])).toEqual(["~$0.075–0.13", "", "~$0.075–0.13"]);
  });

  test("names the server where there are several", () => {
    const summary = summaryOf([callRecord(), callRecord({ server: "other" })]);
    expect(listRows(summary).map(([tool]) => tool)).toEqual([
      "garden · search",
      "other · search",
      "total",
    ]);
  });

  test.each([
    [summaryRowsMax, undefined],
    [summaryRowsMax + 1, "1 more tool 1 0 0 10 90 100"],
    [summaryRowsMax + 2, "2 more tools 2 0 0 20 180 200"],
  ])("of %d tools sums up in one row what exceeds the limit", (count, rest) => {
    const calls = Array.from({ length: count }, (_, at) =>
      callRecord({ tool: `t${at}`, output_tokens: 90 }),
    );
    const rows = listRows(summaryOf(calls));
    const restRow = rows.find(([tool]) => tool?.includes("more tool") === true);
    expect(restRow?.slice(0, 7).join(" ")).toBe(rest);
    expect(rows.at(-1)?.[1]).toBe(String(count));
  });

  test("the row of the rest has the range of its tools", () => {
    const calls = Array.from({ length: summaryRowsMax + 2 }, (_, at) =>
      callRecord({ tool: `t${at}`, output_tokens: 90, total_tokens: 100, most_tokens: 5_000 }),
    );
    expect(listRows(summaryOf(calls)).at(-2)?.[6]).toBe("200…10,000");
  });
});
