// A ceiling holds against a server that wishes to exceed it, with the SDK clients of today in front.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { clients } from "../support/clients.ts";
import { Folder } from "../support/folder.ts";
import { readLog } from "../support/records.ts";
import { executable, fixture, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

/** A server behind the meter, which keeps its records in that folder. */
function behind(folder: Folder, server: readonly string[], ...flags: readonly string[]) {
  const log = folder.at("records.ndjson");
  const meter = [executable, "--log", log, "--summary", "off", ...flags, "--", ...server];
  const [program = "", ...args] = meter;
  const argv: readonly [string, ...string[]] = [program, ...args];
  return { name: "fixture", argv, env: { XDG_STATE_HOME: folder.path } };
}

describe("row 54: answers whose id is a text belong to the request with that number", () => {
  for (const client of clients.filter(({ speaks }) => speaks === "legacy")) {
    test(`row 54: ${client.name} receives nothing above the budget, and one record is written`, async () => {
      using folder = new Folder();
      const server = behind(folder, fixture("writes-ids-as-text"), "--budget", "long=50");
      const connection = await client.connect(server);
      const outcome = await connection.callTool("long", {});
      await connection.close();
      expect(JSON.stringify(outcome)).toContain("long ran, but its answer was withheld");
      const calls = readLog(folder.at("records.ndjson")).records.filter(
        ({ type }) => type === "call",
      );
      expect(calls).toMatchObject([{ tool: "long", outcome: "refused" }]);
    });

    test(`row 54: ${client.name} is metered without a budget`, async () => {
      using folder = new Folder();
      const connection = await client.connect(behind(folder, fixture("writes-ids-as-text")));
      await connection.callTool("long", {});
      await connection.close();
      const calls = readLog(folder.at("records.ndjson")).records.filter(
        ({ type }) => type === "call",
      );
      expect(calls).toMatchObject([{ tool: "long", outcome: "ok" }]);
    });
  }
});
