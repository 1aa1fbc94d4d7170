import { expect, test } from "bun:test";
import { renderUsageCsv } from "#screens/renderers/render-usage.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { by, reportOf } from "../../support/usage-parts.ts";

test("the table, with the estimators of the report and the row that sums the others", () => {
  const records = [
    sessionRecord({ session_id: "a" }),
    callRecord({ session_id: "a", seq: 1, server: "s,1", output_tokens: 500 }),
    callRecord({ session_id: "a", seq: 2, server: "s2", output_tokens: 1 }),
    callRecord({ session_id: "b", seq: 1 }),
  ];
  const report = reportOf(records, { tables: [{ ...by("server"), top: 1 }] });
  const rows = renderUsageCsv(report).trimEnd().split("\n");
  expect(rows.map((row) => row.split(",").slice(0, 4).join(","))).toEqual([
    "estimator,server,sessions,calls",
    'chars3,"s,1",1',
    "chars3,(2 more),2,2",
  ]);
  expect(renderUsageCsv(reportOf([], { tables: [by("server")] }))).toBe("estimator\n");
  const own = renderUsageCsv({ ...report, machine: "=m1" })
    .trimEnd()
    .split("\n");
  expect(own.map((row) => row.split(",").at(-1))).toEqual(["machine", "'=m1", "'=m1"]);
});
