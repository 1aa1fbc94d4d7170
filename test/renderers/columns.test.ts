import { describe, expect, test } from "bun:test";
import { summaryRowsMax } from "#limits.ts";
import { estimateMark, headings, tableRows } from "#renderers/columns.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { fullSummary } from "../support/made-summary.ts";
import { summaryOf } from "../support/play.ts";

describe("tableRows", () => {
  test("has a cell for each heading, in every row", () => {
    const { rows, total } = tableRows(fullSummary());
    for (const row of [...rows, total]) expect(row).toHaveLength(headings.length);
  });

  test("marks estimates, and exact numbers not", () => {
    const exact = summaryOf([sessionRecord({ is_estimated: false }), callRecord()]);
    expect([estimateMark(fullSummary()), estimateMark(exact), estimateMark(summaryOf([]))]).toEqual(
      ["~", "", "~"],
    );
    expect(tableRows(exact).total.join(" ")).toBe("total 1 0 0 10 100 110 100 % 110 110 12 low");
  });

  test("names the server where there are several", () => {
    const summary = summaryOf([callRecord(), callRecord({ server: "other" })]);
    expect(tableRows(summary).rows.map(([name]) => name)).toEqual([
      "garden · search",
      "other · search",
    ]);
  });

  for (const count of [summaryRowsMax, summaryRowsMax + 1]) {
    test(`${count} tools are ${Math.min(count, summaryRowsMax + 1)} rows`, () => {
      const calls = Array.from({ length: count }, (_, at) =>
        callRecord({ tool: `t${at}`, output_tokens: 90 }),
      );
      const { rows, total } = tableRows(
        summaryOf([sessionRecord({ is_estimated: false }), ...calls]),
      );
      expect(rows).toHaveLength(count === summaryRowsMax ? count : summaryRowsMax + 1);
      if (count > summaryRowsMax) {
        expect(rows.at(-1)?.slice(0, 7)).toEqual([
          "1 more tools",
          "1",
          "0",
          "0",
          "10",
          "90",
          "100",
        ]);
      }
      expect(total[1]).toBe(String(count));
    });
  }
});
