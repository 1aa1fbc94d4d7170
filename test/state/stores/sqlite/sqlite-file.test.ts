import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { SqliteFile } from "#state/stores/sqlite/sqlite-file.ts";
import { Folder, thrownBy } from "../../../support/folder.ts";

const makeFifo = (path: string): void => {
  Bun.spawnSync(["mkfifo", path]);
};

describe("SqliteFile", () => {
  test("makes its folder and its file", () => {
    using folder = new Folder();
    const { path } = new SqliteFile(folder.at("state", "c.sqlite"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each<[kind: string, make: (path: string) => void]>([
    ["it is a pipe", makeFifo],
    ["it is a directory", (path) => mkdirSync(path)],
    ["it is a symbolic link", (path) => symlinkSync("elsewhere", path)],
    ["its content is damaged", (path) => writeFileSync(path, "not a database ".repeat(10))],
    ["its content is damaged", (path) => writeFileSync(path, "S")],
    [
      "its content is damaged",
      (path) => new Database(path, { create: true }).run("PRAGMA journal_mode = WAL"),
    ],
  ])("refuses a file: %s", (fault, make) => {
    using folder = new Folder();
    make(folder.at("c.sqlite"));
    expect(thrownBy(() => new SqliteFile(folder.at("c.sqlite")))).toContain(fault);
    expect(existsSync(folder.at("elsewhere"))).toBe(false);
  });

  test("refuses a folder in which every user may write", () => {
    using folder = new Folder();
    chmodSync(folder.path, 0o777);
    const fault = thrownBy(() => new SqliteFile(folder.at("c.sqlite")));
    expect(fault).toBe("every user can write to its folder");
  });

  test("notices that the file was removed or replaced", () => {
    using folder = new Folder();
    const file = new SqliteFile(folder.at("c.sqlite"));
    file.check();
    renameSync(file.path, folder.at("moved"));
    expect(thrownBy(() => file.check())).toBe("it was removed or replaced");
    writeFileSync(file.path, "");
    expect(thrownBy(() => file.check())).toBe("it was removed or replaced");
  });

  test("notices a journal that is not a file, and removes a log that SQLite would take for newer", () => {
    using folder = new Folder();
    const file = new SqliteFile(folder.at("c.sqlite"));
    writeFileSync(`${file.path}-wal`, "anything");
    file.check();
    expect(existsSync(`${file.path}-wal`)).toBe(false);
    makeFifo(`${file.path}-journal`);
    expect(thrownBy(() => file.check())).toBe("its journal is not a regular file");
    rmSync(`${file.path}-journal`);
    file.check();
  });
});
