import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { checkCounters, suggestRepair } from "#commands/doctor/check-counters.ts";
import { SqliteStore } from "#state/stores/sqlite/sqlite-store.ts";
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

test.each([
  ["SQLITE_NOTADB", "mv /s/c /s/c.old"],
  ["SQLITE_CORRUPT_INDEX", "mv /s/c /s/c.old"],
  ["it was written by another version of mcp-meter", "mv /s/c /s/c.old"],
  ["it is a named pipe, not a regular file", "mv /s/c /s/c.old"],
  ["EACCES", "chmod u+rwx /s && chmod u+rw /s/c"],
  ["SQLITE_FULL", "df -h /s"],
  ["EROFS", "df -h /s"],
  ["SQLITE_IOERR_READ", "ls -la /s"],
  ["its journal is not a regular file", "ls -la /s"],
  ["its folder belongs to another user", "ls -la /s"],
])("counters are moved away only where that cures the fault: %s", (fault, fix) => {
  expect(suggestRepair({ folder: "/s", path: "/s/c" }, fault)).toBe(fix);
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
        detail: `The Redis at ${address} cannot be used: it has no database with the number in the URL`,
      },
    ]);
    redis.ask("ACL", "SETUSER", "few", "-select");
    expect(await found(`redis://few:p@${address}/1`)).toMatchObject([
      {
        status: "broken",
        detail: `The Redis at ${address} cannot be used: the Redis user is not allowed to run a command that the counters need`,
        fix: expect.stringContaining("ACL SETUSER NAME"),
      },
    ]);
  },
);
