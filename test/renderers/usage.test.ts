import { describe, expect, test } from "bun:test";
import { renderUsage, type UsagePage } from "#renderers/usage.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { by, reportOf } from "../support/usage-parts.ts";

const page: UsagePage = { color: false, columns: undefined, isWide: false, isTerminal: false };
const name = "a-server-whose-name-is-much-longer-than-the-forty-columns-of-a-cell";
const records = [sessionRecord({ server: name }), callRecord({ seq: 1, server: name })];
const report = reportOf(records, { tables: [by("server")] });

describe("renderUsage", () => {
  test("shortens nothing but on a terminal", () => {
    expect(renderUsage("table", report, page)).toContain(`\n${name}  `);
    expect(renderUsage("table", report, { ...page, columns: 60 })).not.toContain(name);
    expect(renderUsage("markdown", report, { ...page, columns: 60 })).toContain(`| \`${name}\` |`);
  });

  test("one document for each estimator, one line without any", () => {
    const other = [...records, callRecord({ session_id: "torn" })];
    const two = renderUsage("table", reportOf(other, { tables: [by("day")] }), page);
    expect(two.match(/^mcp-meter: .*$/gm)).toEqual([
      "mcp-meter: all days, UTC, counted by chars3",
      "mcp-meter: all days, UTC, counted in an unknown way",
    ]);
    expect(renderUsage("table", reportOf([]), page)).toBe(
      "mcp-meter: no records of all days, UTC\n",
    );
    expect(renderUsage("markdown", reportOf([]), page)).toBe(
      "### mcp-meter: no records of all days, UTC\n",
    );
  });

  test("JSON is the report, CSV its table", () => {
    expect(JSON.parse(renderUsage("json", report, page))).toEqual(
      JSON.parse(JSON.stringify(report)),
    );
    expect(renderUsage("csv", report, page)).toStartWith("estimator,server,");
  });
});
