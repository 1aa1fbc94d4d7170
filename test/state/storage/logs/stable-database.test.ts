import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readStable, type StableDatabase } from "#state/storage/logs/read-database.ts";
import { Folder } from "../../../support/folder.ts";
import { eventually } from "../../../support/wait.ts";

function made(folder: Folder): string {
  const path = folder.at("a.db");
  using database = new Database(path);
  database.run("CREATE TABLE t (a)");
  return path;
}

const read = (path: string): StableDatabase | { readonly fault: string } =>
  readStable(path, (database) => database);

describe("readStable", () => {
  test("reads a database in its place when nothing is written", () => {
    using folder = new Folder();
    const path = made(folder);
    expect(read(path)).toEqual({ path, isImmutable: true });
    expect(readdirSync(folder.path)).toEqual(["a.db"]);
  });

  test.each(["-wal", "-journal"])("reads a private copy when there is a %s", (suffix) => {
    using folder = new Folder();
    const path = made(folder);
    writeFileSync(path + suffix, "x");
    const found = readStable(path, (database) => {
      const folderPath = dirname(database.path);
      expect(statSync(folderPath).mode & 0o777).toBe(0o700);
      expect(readdirSync(folderPath).toSorted()).toEqual(["copy.db", `copy.db${suffix}`]);
      return database;
    });
    expect(found).toMatchObject({ isImmutable: false });
    expect("path" in found && existsSync(dirname(found.path))).toBe(false);
    expect(readdirSync(folder.path).toSorted()).toEqual(["a.db", `a.db${suffix}`]);
  });

  test("row 181: makes no copy in a folder for temporary files in which other users can replace it", () => {
    using folder = new Folder();
    using temporary = new Folder();
    const path = made(folder);
    writeFileSync(`${path}-wal`, "x");
    chmodSync(temporary.path, 0o777);
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = temporary.path;
    try {
      expect(read(path)).toEqual({
        fault: "other users could replace files in the folder for temporary files",
      });
      chmodSync(temporary.path, 0o1777);
      expect(read(path)).toMatchObject({ isImmutable: false });
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });

  test("reads a copy when the database was written meanwhile", () => {
    using folder = new Folder();
    const path = made(folder);
    const paths: boolean[] = [];
    const found = readStable(path, ({ isImmutable }) => {
      paths.push(isImmutable);
      using database = new Database(path);
      if (isImmutable) database.run("INSERT INTO t VALUES (1)");
      return "read";
    });
    expect([found, paths]).toEqual(["read", [true, false]]);
  });

  test("reads a copy of a database whose client never stops writing", async () => {
    using folder = new Folder();
    const path = made(folder);
    const program = `
      import { Database } from "bun:sqlite";
      const database = new Database(process.argv[1]);
      database.run("PRAGMA journal_mode = WAL");
      for (const end = Date.now() + 20_000; Date.now() < end; )
        database.run("INSERT INTO t VALUES (randomblob(100))");
    `;
    await using writer = Bun.spawn([process.execPath, "-e", program, path]);
    const count = (): unknown =>
      readStable(path, (database) => {
        using copy = new Database(database.path);
        return copy.query("SELECT count(*) AS rows FROM t").get();
      });
    await eventually("a write", () => existsSync(`${path}-wal`));
    for (let round = 0; round < 20; round += 1)
      expect(count()).toEqual({ rows: expect.any(Number) });
    expect(writer.exitCode).toBeNull();
    writer.kill();
    await writer.exited;
  });

  test("an empty -wal is none, and a missing database is a fault", () => {
    using folder = new Folder();
    const path = made(folder);
    writeFileSync(`${path}-wal`, "");
    expect(read(path)).toMatchObject({ isImmutable: true });
    expect(read(folder.at("missing.db"))).toEqual({ fault: "ENOENT" });
  });

  test("removes the copy also when reading fails", () => {
    using folder = new Folder();
    const path = made(folder);
    writeFileSync(`${path}-wal`, "x");
    let copy = "";
    const found = readStable(path, (database): never => {
      copy = database.path;
      throw new Error("no");
    });
    expect([found, existsSync(dirname(copy))]).toEqual([{ fault: "no" }, false]);
  });
});
