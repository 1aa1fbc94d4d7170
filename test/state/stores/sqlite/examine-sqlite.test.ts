import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { readFileSync, symlinkSync } from "node:fs";
import { examineStore } from "#state/stores/sqlite/sqlite-file.ts";
import { countersFile } from "#state/stores/store.ts";
import { SqliteStore } from "#state/stores/sqlite/sqlite-store.ts";
import { Folder } from "../../../support/folder.ts";

function made(folder: Folder): string {
  const path = folder.at(countersFile);
  new SqliteStore({ path, holder: "test" }).close();
  return path;
}

test("examineStore finds a store that can be used, and leaves its bytes alone", () => {
  using folder = new Folder();
  expect(examineStore(folder.path)).toEqual({ kind: "absent" });
  const before = readFileSync(made(folder));
  expect(examineStore(folder.path)).toEqual({ kind: "usable", counters: 0, layout: 3 });
  expect(readFileSync(folder.at(countersFile)).equals(before)).toBe(true);
});

test("examineStore finds a store that another process has locked", () => {
  using folder = new Folder();
  const database = new Database(made(folder));
  database.run("BEGIN EXCLUSIVE");
  expect(examineStore(folder.path)).toEqual({ kind: "busy" });
  database.run("ROLLBACK");
  database.close();
  expect(examineStore(folder.path)).toMatchObject({ kind: "usable" });
});

test("examineStore finds damage, links, and a file of another version", () => {
  using folder = new Folder();
  folder.file(countersFile, "not a database, but long enough for a header of one\n");
  expect(examineStore(folder.path)).toEqual({ kind: "unusable", fault: "its content is damaged" });
  using linked = new Folder();
  symlinkSync(folder.at(countersFile), linked.at(countersFile));
  expect(examineStore(linked.path)).toMatchObject({
    fault: "it is a symbolic link, not a regular file",
  });
  using newer = new Folder();
  const database = new Database(made(newer));
  database.run("PRAGMA user_version = 99");
  database.close();
  expect(examineStore(newer.path)).toMatchObject({
    kind: "unusable",
    fault: "it was written by another version of mcp-meter",
  });
});
