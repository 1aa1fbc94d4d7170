import { describe, expect, test } from "bun:test";
import { Cube, reportCellsMax } from "#history/reports/usage-cube.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { allTime } from "../../support/usage-facts.ts";
import { reportSessionsMax } from "#records/ledger.ts";

const emptyCube = (): Cube => new Cube({ ranges: [allTime], zone: new TimeZone("UTC") });

describe("Cube", () => {
  test(`${reportSessionsMax} sessions are known, records of further ones are left out`, () => {
    const cube = emptyCube();
    const addRecord = (id: string): boolean => cube.add(sessionRecord({ session_id: id }));
    for (let at = 0; at < reportSessionsMax; at += 1) addRecord(`s${at}`);
    expect(cube.omissions.records).toBe(0);
    addRecord("another");
    addRecord("s0");
    expect(cube.omissions.records).toBe(1);
  });

  test(`${reportCellsMax} cells are known, calls beyond them are left out`, () => {
    const cube = emptyCube();
    for (let at = 0; at < reportCellsMax; at += 1)
      cube.add(callRecord({ seq: at, tool: `t${at}` }));
    expect(cube.omissions.records).toBe(0);
    cube.add(callRecord({ seq: reportCellsMax, tool: "another" }));
    cube.add(callRecord({ seq: reportCellsMax + 1, tool: "t0" }));
    expect(cube.omissions.records).toBe(1);
    const calls = cube.makeFacts().reduce((sum, { sums }) => sum + sums.calls, 0);
    expect(calls).toBe(reportCellsMax + 1);
  });

  test(`definitions of ${reportCellsMax} servers are known, further ones are left out`, () => {
    const cube = emptyCube();
    const addRecord = (server: string): boolean => cube.add(definitionsRecord({ server }));
    for (let at = 0; at < reportCellsMax; at += 1) addRecord(`s${at}`);
    expect(cube.omissions.records).toBe(0);
    addRecord("another");
    expect(cube.omissions.records).toBe(1);
  });
});
