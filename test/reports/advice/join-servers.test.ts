import { expect, test } from "bun:test";
import { joinServers } from "#reports/advice/join-servers.ts";
import { SessionUsage } from "#reports/advice/session-usage.ts";
import { UsageRows } from "#reports/advice/tool-usage.ts";
import { RepeatRoom } from "#reports/repeat-table.ts";
import { plant, twoTools } from "../../support/made-advice.ts";

test("servers over all sessions: beginnings, calls by tool, the tools called, and definitions in context", () => {
  const rows = new UsageRows();
  const sessions = [1, 2].map((ms) => {
    const session = new SessionUsage(new RepeatRoom(), new RepeatRoom());
    const part = session.partOf("garden");
    part.hasBegun = ms === 1;
    for (const key of ["plant", "\nresources/read"]) {
      const row = rows.addRow();
      part.rows.set(key, row);
      rows.addCall(row, plant());
    }
    session.addList("garden", { ts: "", ms, list: twoTools() });
    session.partOf(`only ${ms}`);
    return session;
  });
  const servers = joinServers(sessions, rows);
  expect(servers.map(({ server }) => server)).toEqual(["garden", "only 1", "only 2"]);
  expect(servers[0]).toMatchObject({
    sessions: 1,
    tools: [
      { name: "(resources/read)", isTool: false, usage: { calls: 2 } },
      { name: "plant", isTool: true, usage: { calls: 2, tokens: 20 } },
    ],
    called: new Set(["plant"]),
    residentTokens: 6_000,
    lists: { newest: { ms: 2 }, oldestWhole: { ms: 1 } },
  });
  expect(joinServers(sessions.toReversed(), rows)).toEqual(servers);
});
