import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { Folder } from "../support/folder.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const meters = 20;

const isThere = hasRedis("row 191");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

type Team = {
  readonly folder: Folder;
  readonly counters: Readonly<Record<string, string>>;
  readonly server: string;
  readonly flags: readonly string[];
};

const logOf = ({ folder }: Team): string => folder.at("alerts.ndjson");

function givenAlerts(team: Team): string[] {
  const path = logOf(team);
  const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
  return lines.map((line) => String(JSON.parse(line).alert)).toSorted();
}

function start(team: Team): Session {
  const { counters, folder, flags, server } = team;
  return metered(fixture(server), {
    env: { ...counters, XDG_STATE_HOME: folder.at("state") },
    flags: [
      "--server=demo",
      "--summary=off",
      "--log=off",
      `--on-alert=cat >> '${logOf(team)}'`,
      ...flags,
    ],
  });
}

async function callAll(sessions: readonly Session[], times: number): Promise<void> {
  await Promise.all(
    sessions.map(async (session) => {
      await session.ask(initialize());
      for (let id = 1; id <= times; id += 1) await session.ask(call(id, "echo", { id }));
    }),
  );
}

describe("row 191: twenty meters on one budget give one alert for each threshold", () => {
  for (const where of ["a file", "redis"]) {
    test.if(where === "a file" || isThere)(
      `counters in ${where}, five meters killed (slow)`,
      async () => {
        using folder = new Folder();
        const counters = where === "redis" ? { MCP_METER_COUNTERS: redis?.url ?? "" } : {};
        const flags = ["--budget", "100calls/month"];
        const team = { folder, counters, flags, server: "answers.sh" };
        const sessions = Array.from({ length: meters }, () => start(team));
        const victims = sessions.slice(0, 5);
        await callAll(sessions, 3);
        for (const victim of victims) victim.kill("SIGKILL");
        const others = sessions.slice(victims.length);
        await callAll(others, 6);
        await Promise.all(others.map((session) => session.finish()));
        expect(givenAlerts(team)).toEqual(["budget_exceeded", "budget_warning"]);
        for (const session of sessions) await session[Symbol.asyncDispose]();
      },
    );
  }
});

test("row 191: a pattern that no tool matches is no alert; a name is one for a server and day", async () => {
  using folder = new Folder();
  const flags = ["--budget", "delete_*=0", "--budget", "nosuch=0"];
  const team = { folder, counters: {}, flags, server: "honest" };
  for (let number = 0; number < 2; number += 1) {
    await using session = start(team);
    await session.ask(initialize());
    await session.ask({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    await session.finish();
    expect(session.stderr.text).toContain("nosuch=0");
    expect(session.stderr.text).not.toContain("delete_");
  }
  await eventually("the alert", () => givenAlerts(team).length > 0);
  expect(givenAlerts(team)).toEqual(["unknown_tool"]);
});
