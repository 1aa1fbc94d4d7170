import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { readCounters, tryCounters, withCounters } from "#commands/counters/read-counters.ts";
import { Folder } from "../../support/folder.ts";

const platform = "linux";

test("nothing is kept yet, or no folder is known", async () => {
  using folder = new Folder();
  expect(await readCounters({ env: { XDG_STATE_HOME: folder.path }, platform })).toEqual([]);
  expect(await tryCounters({ env: {}, platform })).toEqual({
    counters: [],
    fault: "Cannot find the budget counters: set HOME or XDG_STATE_HOME",
  });
});

test("a file that can be opened and not read is a sentence too", async () => {
  using folder = new Folder();
  mkdirSync(folder.at("mcp-meter"), { mode: 0o700 });
  using database = new Database(folder.at("mcp-meter", "budget-counters.sqlite"));
  database.run("CREATE TABLE other (a)");
  database.run("PRAGMA user_version = 99");
  const { counters, fault } = await tryCounters({
    env: { XDG_STATE_HOME: folder.path },
    platform,
  });
  expect(counters).toEqual([]);
  expect(fault).toContain("another version of mcp-meter has written it");
});

test("a store that fails while it is used is a sentence", async () => {
  using folder = new Folder();
  const failing = withCounters({ XDG_STATE_HOME: folder.path }, undefined, async () => {
    throw Object.assign(new Error("busy"), { code: "SQLITE_BUSY" });
  });
  expect(failing).rejects.toThrow(
    "Cannot read the budget counters: another process has locked the file",
  );
  await failing.catch(() => undefined);
});
