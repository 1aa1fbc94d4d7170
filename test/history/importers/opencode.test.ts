import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openCode } from "#history/importers/opencode.ts";
import { reportOf } from "../../support/logs.ts";
import { OpenCodeHome, openCodeTotals } from "../../support/opencode-home.ts";

const { about: _about, ...totals } = openCodeTotals;

const imported = (home: string) => reportOf("opencode", [home], totals.known_servers);

describe("the example home", () => {
  test("does not have the totals of a reader that takes only messages", async () => {
    using home = new OpenCodeHome();
    const { usage } = await imported(home.path);
    // A message's second step overwrote the tokens of the first.
    expect(usage.input_uncached - (10 + 5 + 900 + 100)).toBe(7);
  });

  test("has the same totals from the databases of two channels", async () => {
    using home = new OpenCodeHome();
    copyFileSync(home.database, join(home.folder, "opencode-dev.db"));
    expect(await imported(home.path)).toMatchObject({ ...totals, files_read: 6 });
  });

  test("has fewer requests without the database, and the files repeat none of them", async () => {
    using home = new OpenCodeHome();
    rmSync(home.database);
    const { usage, usage_by_model: models } = await imported(home.path);
    expect([usage.requests, usage.input_uncached]).toEqual([2, 1099]);
    expect(Object.keys(models)).toEqual(["claude-sonnet-4-6"]);
  });
});

describe("a fork", () => {
  test("has its messages and parts under new ids, and is counted once", async () => {
    using home = new OpenCodeHome();
    {
      using database = new Database(home.database);
      database.run("INSERT INTO session VALUES ('ses_f','p',NULL,'/w','t','1.18.33',1,1)");
      database.run(
        "INSERT INTO message SELECT 'f_' || id, 'ses_f', time_created, time_updated, data FROM message WHERE session_id = 'ses_1'",
      );
      database.run(
        "INSERT INTO part SELECT 'f_' || id, 'f_' || message_id, 'ses_f', 1, 1, data FROM part WHERE session_id = 'ses_1'",
      );
    }
    expect(await imported(home.path)).toMatchObject({ ...totals, sessions: 4 });
  });

  test("counts the requests that it adds", async () => {
    using home = new OpenCodeHome();
    {
      using database = new Database(home.database);
      database.run(
        `INSERT INTO message VALUES ('f_new','ses_f',1773533100000,1,'{"role":"assistant","modelID":"gpt-5.4","cost":0,"tokens":{"input":11,"output":1,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1773533100000,"completed":1773533100001}}')`,
      );
    }
    expect((await imported(home.path)).usage).toMatchObject({ requests: 6, input_uncached: 1033 });
  });
});

test("sub-agents are sessions with a parent", async () => {
  using home = new OpenCodeHome();
  {
    using database = new Database(home.database);
    database.run("INSERT INTO session VALUES ('ses_2','p','ses_1','/w','t','1.18.33',1,1)");
  }
  const agents = (await imported(home.path)).calls.map(({ id, agent }) => [id, agent]);
  expect(agents).toContainEqual(["call_5@1773532900100", "ses_2"]);
  expect(agents).toContainEqual(["call_1@1773532205000", null]);
});

const countedCall = (session: string, start: number) =>
  `INSERT INTO part VALUES ('${session}_p','msg_1','${session}',1,1,'{"type":"tool","callID":"functions.docs_read:0","tool":"docs_read","state":{"status":"completed","input":{},"time":{"start":${start}},"output":"x"}}')`;

test("calls of two sessions under one counted id are two, in one database and in two", async () => {
  const { mcp_calls: calls } = totals;
  for (const other of ["opencode.db", "opencode-dev.db"]) {
    using home = new OpenCodeHome();
    const file = join(home.folder, other);
    if (file !== home.database) copyFileSync(home.database, file);
    for (const [path, session, start] of [
      [home.database, "ses_a", 1_773_533_100_000],
      [file, "ses_b", 1_773_533_200_000],
    ] as const) {
      using database = new Database(path);
      database.run(countedCall(session, start));
    }
    expect(await imported(home.path)).toMatchObject({ mcp_calls: calls + 2 });
  }
});

test("tools of unknown servers are left out", async () => {
  using home = new OpenCodeHome();
  const { calls } = await reportOf("opencode", [home.path], ["docs"]);
  expect(calls.map(({ server }) => server)).toEqual(["docs", "docs", "docs", "docs"]);
});

const findFolder = (env: Readonly<Record<string, string>>) =>
  openCode.findFolders({ folder: "/h", env, platform: "linux" })[0]?.folder;

test("its folder is named by its variables, or is the usual one", async () => {
  expect(findFolder({})).toBe("/h/.local/share/opencode");
  expect(findFolder({ XDG_DATA_HOME: "/x" })).toBe("/x/opencode");
  expect(findFolder({ XDG_DATA_HOME: "x" })).toBe("/h/.local/share/opencode");
  expect(findFolder({ OPENCODE_DATA_DIR: "/o/", XDG_DATA_HOME: "/x" })).toBe("/o");
});

test("databases of every channel and files of older versions are read, and nothing else", async () => {
  const [logFolder] = openCode.findFolders({ folder: "/h", env: {}, platform: "linux" });
  const detectForm = (path: string) => logFolder?.detectForm(path);
  expect(detectForm("opencode.db")).toBe("database");
  expect(detectForm("opencode-dev.db")).toBe("database");
  expect(detectForm("storage/message/ses/msg.json")).toBe("document");
  expect(detectForm("storage/session/project/ses.json")).toBe("document");
  for (const path of ["opencode.db-wal", "auth.json", "a/opencode.db", "storage/todo/a/b.json"]) {
    expect(detectForm(path)).toBeUndefined();
  }
});

test("nothing is left next to a database", async () => {
  using home = new OpenCodeHome();
  {
    using database = new Database(home.database);
    database.run("PRAGMA journal_mode = WAL");
  }
  mkdirSync(join(home.folder, "log"), { recursive: true });
  const before = readdirSync(home.folder);
  expect(await imported(home.path)).toMatchObject(totals);
  expect(readdirSync(home.folder)).toEqual(before);
});

const row = (id: string) =>
  `INSERT INTO message VALUES ('${id}','ses_1',1,1,'{"role":"assistant","modelID":"m","tokens":{"input":11,"output":1},"time":{"created":1773533100000}}')`;

describe("a database that its client has open", () => {
  test("is read with the changes in its log, and nothing is left next to it", async () => {
    using home = new OpenCodeHome();
    using client = new Database(home.database);
    client.run("PRAGMA journal_mode = WAL");
    client.run("PRAGMA wal_autocheckpoint = 0");
    client.run(row("msg_new"));
    const before = readdirSync(home.folder).toSorted();
    expect(before).toContain("opencode.db-wal");
    expect((await imported(home.path)).usage.requests).toBe(6);
    expect(readdirSync(home.folder).toSorted()).toEqual(before);
  });

  test("is read while it is locked, without the changes of an open transaction", async () => {
    using home = new OpenCodeHome();
    using client = new Database(home.database);
    client.run("PRAGMA journal_mode = DELETE");
    client.run("BEGIN EXCLUSIVE");
    client.run(row("msg_new"));
    expect((await imported(home.path)).usage.requests).toBe(5);
    client.run("COMMIT");
    expect((await imported(home.path)).usage.requests).toBe(6);
  });
});
