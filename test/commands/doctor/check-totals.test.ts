import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { checkTotals } from "#commands/doctor/check-sessions.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { writeTotals } from "#state/storage/prune/totals-file.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

test("totals: none, some, and a truncated file", async () => {
  using folder = new Folder();
  const state = folder.at("mcp-meter");
  const found = () => checkTotals(makeInstallation({ XDG_STATE_HOME: folder.path }));
  expect(await found()).toMatchObject([{ status: "ok" }]);
  mkdirSync(state);
  writeTotals(state, { zone: new TimeZone("UTC"), removing: [], totals: [] });
  expect(await found()).toMatchObject([
    { check: "day totals", status: "ok", detail: `0 rows in ${state}/day-totals.json` },
  ]);
  folder.file("mcp-meter/day-totals.json", '{"format": "day-totals/1",\n"zone": "U');
  expect(await found()).toMatchObject([
    {
      status: "broken",
      detail: expect.stringContaining(`${state}/day-totals.json": line 2: not valid JSON`),
      fix: `mv ${state}/day-totals.json ${state}/day-totals.json.old`,
    },
  ]);
});
