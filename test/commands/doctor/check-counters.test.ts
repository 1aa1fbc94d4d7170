import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { checkCounters, suggestRepair } from "#commands/doctor/check-counters.ts";
import { SqliteStore } from "#state/stores/sqlite.ts";
import { Folder } from "../../support/folder.ts";
import { hasRedis, RedisServer } from "../../support/redis.ts";
import { makeInstallation } from "./patient.ts";

test("the counters are absent, usable, or damaged", async () => {
  using folder = new Folder();
  const found = () => checkCounters(makeInstallation({ XDG_STATE_HOME: folder.path }));
  expect(await checkCounters(makeInstallation({}))).toEqual([]);
  expect(await found()).toMatchObject([
    { status: "ok", detail: expect.stringContaining("none yet") },
  ]);
  mkdirSync(folder.at("mcp-meter"), { mode: 0o700 });
  const path = folder.at("mcp-meter", "budget-counters.sqlite");
  new SqliteStore({ path, holder: "test" }).close();
  expect(await found()).toMatchObject([
    { status: "ok", detail: `0 counters in ${path}, layout 3` },
  ]);
  folder.file("mcp-meter/budget-counters.sqlite", "x".repeat(100));
  expect(await found()).toMatchObject([
    { status: "broken", detail: `${path}: its content is damaged`, fix: `mv ${path} ${path}.old` },
  ]);
});

test("counters without permission are not moved away", () => {
  const files = { folder: "/s", path: "/s/c" };
  expect(suggestRepair(files, "EACCES")).toBe("chmod u+rwx /s && chmod u+rw /s/c");
  expect(suggestRepair(files, "SQLITE_NOTADB")).toBe("mv /s/c /s/c.old");
});

const hasServer = hasRedis("what doctor says of Redis");

test.if(hasServer)(
  "a Redis: a user without permissions, counters that may be removed",
  async () => {
    using folder = new Folder();
    await using redis = await RedisServer.start("--maxmemory", "100mb");
    const found = (url: string) =>
      checkCounters(makeInstallation({ XDG_STATE_HOME: folder.path, MCP_METER_COUNTERS: url }));
    const address = `127.0.0.1:${redis.port}`;
    expect(await found(redis.url)).toMatchObject([
      { status: "ok", detail: `0 counters in the Redis at ${address}, fleet default` },
    ]);
    redis.ask("ACL", "SETUSER", "few", "on", ">p", "~*", "+@all", "-hset", "-time");
    const [forbidden] = await found(`redis://few:p@${address}`);
    expect(forbidden).toMatchObject({
      status: "broken",
      detail: `The Redis at ${address} does not let the user of this connection run TIME, HSET, which budget counters need`,
      fix: `redis-cli -h 127.0.0.1 -p ${redis.port} ACL SETUSER NAME '~mcp-meter:*' +@read +@write +@scripting +@connection +time`,
    });
    redis.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    expect(await found(redis.url)).toMatchObject([
      { status: "ok" },
      {
        status: "warning",
        detail: `The Redis at ${address} may remove budget counters when its memory is full (maxmemory-policy allkeys-lru); set noeviction`,
        fix: `redis-cli -h 127.0.0.1 -p ${redis.port} CONFIG SET maxmemory-policy noeviction`,
      },
    ]);
    expect(await found(`${redis.url}/99`)).toMatchObject([
      {
        status: "broken",
        detail: expect.stringMatching(/: it has no database with the number in the URL$/),
      },
    ]);
  },
);
