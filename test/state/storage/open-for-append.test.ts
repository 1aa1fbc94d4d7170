import { describe, expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import {
  endsTorn,
  examineForAppend,
  readInode,
  openForAppend,
} from "#state/storage/record-file.ts";
import { allowed, judgedByTime } from "../../support/measure.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

describe("openForAppend", () => {
  test("makes a file for its user alone, and opens the same file again", () => {
    using folder = new Folder();
    const path = folder.at("r.ndjson");
    const [first, second] = [openForAppend(path), openForAppend(path)];
    expect([first.inode, second.inode]).toEqual([readInode(path) ?? 0, readInode(path) ?? 0]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const { fd } of [first, second]) closeSync(fd);
  });

  const refused: readonly (readonly [
    what: string,
    make: (folder: Folder) => string,
    kind: string,
  ])[] = [
    ["a directory", (folder) => (mkdirSync(folder.at("d")), folder.at("d")), "directory"],
    [
      "a symbolic link",
      (folder) => (symlinkSync(folder.file("real", ""), folder.at("link")), folder.at("link")),
      "symbolic link",
    ],
    [
      "a link to nothing",
      (folder) => (symlinkSync(folder.at("gone"), folder.at("link")), folder.at("link")),
      "symbolic link",
    ],
    [
      "a pipe",
      (folder) => (Bun.spawnSync(["mkfifo", folder.at("fifo")]), folder.at("fifo")),
      "pipe",
    ],
    ["a device", () => "/dev/full", "device"],
  ];
  for (const [what, make, kind] of refused) {
    test(
      `${what} is refused at once with one sentence`,
      () => {
        using folder = new Folder();
        const path = make(folder);
        const before = performance.now();
        expect(thrownBy(() => openForAppend(path))).toBe(
          `Cannot write records to "${path}": it is a ${kind}, not a regular file`,
        );
        expect(performance.now() - before).toBeLessThan(allowed(100));
      },
      judgedByTime,
    );
  }

  test("a missing folder is named as the reason", () => {
    using folder = new Folder();
    expect(thrownBy(() => openForAppend(folder.at("no", "r")))).toContain(
      ": no such file or directory",
    );
  });
});

test.each([
  ["", false],
  ["whole\n", false],
  ["whole\ntorn", true],
])("endsTorn of %j is %p", (text, expected) => {
  using folder = new Folder();
  expect(endsTorn(folder.file("r", text))).toBe(expected);
});

test("endsTorn and readInode of a path without a file are false and undefined", () => {
  using folder = new Folder();
  expect([endsTorn(folder.at("gone")), readInode(folder.at("gone"))]).toEqual([false, undefined]);
});

test("examineForAppend has the reasons of openForAppend, and makes no file", () => {
  using folder = new Folder();
  symlinkSync("nowhere", folder.at("link"));
  for (const path of [folder.path, folder.at("link"), folder.at("none/x"), "/dev/full"]) {
    const reason = thrownBy(() => examineForAppend(path));
    expect(reason).toStartWith("Cannot write records to");
    expect(reason).toBe(thrownBy(() => openForAppend(path)));
  }
  examineForAppend(folder.at("new"));
  examineForAppend(folder.file("old", ""));
  expect(existsSync(folder.at("new"))).toBe(false);
});
